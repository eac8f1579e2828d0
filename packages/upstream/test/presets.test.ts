import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ModuleOptionsError } from '@watchword/protocol';
import { UserAgent } from '@watchword/testkit/user-agent';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { readOptions } from '../src/options/read-options.ts';
import { oneIssuer, tenantIssuers } from '../src/provider/issuer-rule.ts';
import { atProvider, codeOf, logIn, optionsFor, requestLogin, startService } from './support/service.ts';
import { clientId, clientSecret, json, startTestProvider, type Twist } from './support/test-provider.ts';

const tenant = '72f988bf-86f1-41af-91ab-2d7cd011db47';
const other = '9188040d-6c67-4c5b-b112-36a304b66dad';

/** The address with which Microsoft serves a document: the tenant is a part of every path. */
function atMicrosoft(named: string): Twist {
  return {
    metadata: ({ issuer }) => ({ issuer: `${issuer}/${named}/v2.0` }),
    path: (path) => path.replace(/^\/[^/]+\/v2\.0\/\.well-known/, '/.well-known'),
  };
}

describe('the preset of Google', () => {
  it('takes its word on its own addresses and on those of the domain of a customer', async () => {
    await using provider = await startTestProvider();
    await using service = await startService({ ...optionsFor(provider), preset: 'google' });
    for (const [email, hd, verified] of [
      ['emma@gmail.com', undefined, true],
      ['emma@example.org', 'example.org', true],
      ['emma@example.org', undefined, false],
      ['emma@example.org', 'other.example', false],
    ] as const) {
      provider.person = { sub: '1', email, email_verified: true, ...(hd && { hd }) };
      codeOf(await logIn(service));
      const { authentication } = await service.session();
      assert.equal(authentication.claims?.email_verified, verified, `${email} ${hd}`);
    }
  });
});

describe('the preset of Microsoft', () => {
  it('has the users of the permitted tenants, each with the issuer of its tenant', async () => {
    await using provider = await startTestProvider();
    const twist = atMicrosoft('{tenantid}');
    provider.twist = twist;
    await using service = await startService({
      ...optionsFor(provider),
      ...{ preset: 'microsoft', tenant: 'organizations', tenants: [tenant] },
    });
    const as = (tid: string, iss = `${provider.issuer}/${tid}/v2.0`): Twist => ({
      ...twist,
      claims: () => ({ tid, iss }),
    });
    provider.twist = as(tenant);
    codeOf(await logIn(service));
    const { identityProvider } = (await service.session()).owner;
    assert.equal(identityProvider, `corp:${provider.issuer}/${tenant}/v2.0`);
    // Another tenant, the template itself, and the tenant of another one.
    for (const wrong of [
      as(other),
      as('{tenantid}'),
      as(tenant, `${provider.issuer}/${other}/v2.0`),
      { ...twist, claims: () => ({ iss: `${provider.issuer}/${tenant}/v2.0` }) },
    ]) {
      provider.twist = wrong;
      assert.equal((await logIn(service)).status, 403);
      assert.equal(service.rejected().at(-1)?.check, 'issuer');
    }
  });

  it('accepts of one tenant no other issuer, and no address as verified', async () => {
    await using provider = await startTestProvider();
    provider.twist = atMicrosoft(tenant);
    await using service = await startService({ ...optionsFor(provider), preset: 'microsoft', tenant });
    provider.person = { sub: '1', tid: tenant, email: 'victim@example.org', email_verified: true };
    provider.twist = { ...provider.twist, claims: () => ({ iss: `${provider.issuer}/${tenant}/v2.0` }) };
    codeOf(await logIn(service));
    assert.equal((await service.session()).authentication.claims?.email_verified, false);
    provider.twist = { ...provider.twist, claims: () => ({ iss: `${provider.issuer}/${other}/v2.0` }) };
    assert.equal((await logIn(service)).status, 403);
  });

  it('knows whose issuers are its own', () => {
    const authority = 'https://login.microsoftonline.com';
    const issuer = (id: string) => `${authority}/${id}/v2.0`;
    const chosen = tenantIssuers(authority, 'common', [tenant]);
    assert.deepEqual(
      [chosen.includes(issuer(tenant), undefined), chosen.includes(issuer(other), undefined)],
      [true, false],
    );
    assert.equal(chosen.includes(issuer('{tenantid}'), undefined), false);
    assert.equal(chosen.includes(`${issuer(tenant)}/`, undefined), false);
    assert.equal(tenantIssuers(authority, 'common', ['*']).includes(issuer(other), undefined), true);
    const domain = tenantIssuers(authority, 'example.org', []);
    assert.equal(domain.includes(issuer(tenant), undefined), undefined);
    assert.equal(domain.includes(issuer(tenant), issuer(tenant)), true);
    assert.equal(domain.includes(issuer(other), issuer(tenant)), false);
    assert.equal(oneIssuer(authority).includes(`${authority}/`, undefined), false);
  });
});

describe('a client with a key in the place of a secret', () => {
  it('signs an assertion for each token request, for the issuer', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await using provider = await startTestProvider();
    const { clientSecret: _, ...own } = optionsFor(provider);
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    await using service = await startService({ ...own, privateKey: pem, keyId: 'k' });
    await logIn(service);
    const { authorization, client_assertion: assertion = '', ...form } = provider.tokenRequests.at(-1) ?? {};
    assert.equal(authorization, undefined);
    assert.equal(form.client_assertion_type, 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    assert.deepEqual(decodeProtectedHeader(assertion), { alg: 'ES256', kid: 'k' });
    const { payload } = await jwtVerify(assertion, publicKey, { audience: provider.issuer });
    assert.deepEqual([payload.iss, payload.sub, payload.aud], [clientId, clientId, provider.issuer]);
    assert.equal(Number(payload.exp) - Number(payload.iat), 60);
    assert.ok(payload.jti);
  });
});

describe('the preset of Apple', () => {
  it('signs a client secret for each request, and comes back by form_post', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const directory = await mkdtemp(join(tmpdir(), 'watchword-test-'));
    const privateKeyFile = join(directory, 'AuthKey.p8');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    await writeFile(privateKeyFile, pem);
    const inline = readOptions({ preset: 'apple', clientId, teamId: 'T', keyId: 'K', privateKey: pem });
    assert.ok(inline.signedSecret?.key.equals(privateKey));
    try {
      await using provider = await startTestProvider();
      provider.twist = {
        metadata: () => ({
          userinfo_endpoint: undefined,
          token_endpoint_auth_methods_supported: ['client_secret_post'],
        }),
      };
      provider.person = { sub: '001.abc', email: 'x@privaterelay.appleid.com', email_verified: 'true' };
      const { clientSecret: _, ...own } = optionsFor(provider);
      const keys = { teamId: 'TEAM123456', keyId: 'KEY1234567', privateKeyFile };
      await using service = await startService({ ...own, preset: 'apple', ...keys });
      const agent = new UserAgent();
      const page = await requestLogin(service, agent);
      const { searchParams } = new URL(page.location ?? assert.fail(page.text));
      assert.equal(searchParams.get('response_mode'), 'form_post');
      assert.equal(searchParams.get('scope'), 'openid name email');
      const fields = Object.fromEntries(new URL(await atProvider(page)).searchParams);
      const user = JSON.stringify({ name: { firstName: 'Not', lastName: 'Signed' } });
      const across = await agent.postFromElsewhere(`${service.instance}/callback`, { ...fields, user });
      codeOf(await agent.submit(across, {}));
      const { client_secret: secret = '', authorization } = provider.tokenRequests.at(-1) ?? {};
      assert.equal(authorization, undefined);
      assert.deepEqual(decodeProtectedHeader(secret), { alg: 'ES256', kid: 'KEY1234567' });
      const { payload } = await jwtVerify(secret, publicKey, { audience: provider.issuer });
      assert.deepEqual([payload.iss, payload.sub], ['TEAM123456', clientId]);
      assert.equal(Number(payload.exp) - Number(payload.iat), 300);
      const { authentication } = await service.session();
      assert.equal(authentication.claims?.email_verified, true);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe('the preset of GitLab', () => {
  it('is an OpenID Connect provider with its groups in UserInfo', async () => {
    await using provider = await startTestProvider();
    provider.person = { sub: '7', nickname: 'emma', groups: ['team', 'team/backend'] };
    await using service = await startService({ ...optionsFor(provider), preset: 'gitlab' });
    const { principal } = await service.tokenInfo(await logIn(service));
    assert.deepEqual([principal.name, principal.groups], ['7', ['team', 'team/backend']]);
    assert.equal(readOptions({ preset: 'gitlab', clientId }).issuers.url, 'https://gitlab.com');
  });
});

describe('the preset of GitHub', () => {
  const answers: Record<string, unknown> = {
    '/api/v3/user': { id: 583231, login: 'emma', name: 'Emma', html_url: 'https://github.com/emma' },
    '/api/v3/user/emails?per_page=100': [
      { email: 'old@example.org', primary: false, verified: true },
      { email: 'emma@example.org', primary: true, verified: true },
    ],
    '/api/v3/user/orgs?per_page=100': [{ login: 'acme' }],
    '/api/v3/user/teams?per_page=100': [{ slug: 'dev', organization: { login: 'acme' } }],
  };
  const github = (changed: Record<string, unknown> = {}, tokenAnswer?: Twist['tokenAnswer']): Twist => ({
    ...(tokenAnswer && { tokenAnswer }),
    path: (path) =>
      path.replace('/login/oauth/authorize', '/authorize').replace('/login/oauth/access_token', '/token'),
    answer(request, response) {
      const { url = '', headers } = request;
      const found = { ...answers, ...changed }[url];
      if (found === undefined) return false;
      assert.match(headers.authorization ?? '', /^Bearer /);
      assert.equal(headers['user-agent'], 'watchword');
      json(response, found);
      return true;
    },
  });

  it('identifies a user by the number of the account, and has groups of organisations and teams', async () => {
    await using provider = await startTestProvider();
    provider.twist = github();
    const scopes = ['read:user', 'user:email', 'read:org'];
    await using service = await startService({ ...optionsFor(provider), preset: 'github', scopes });
    const page = await logIn(service);
    const { principal } = await service.tokenInfo(page);
    assert.equal(principal.name, '583231');
    assert.deepEqual(principal.groups, ['acme', 'acme/dev']);
    assert.equal(principal.attributes.DISPLAY_NAME, 'Emma');
    assert.equal(provider.requests[0]?.scope, 'read:user user:email read:org');
    assert.equal(provider.tokenRequests[0]?.client_secret, clientSecret);
    const { authentication, owner } = await service.session();
    assert.equal(authentication.claims?.email, 'emma@example.org');
    assert.equal(owner.identityProvider, `corp:${provider.issuer}`);
    // Another account with the same name is another user.
    provider.twist = github({ '/api/v3/user': { id: 2, login: 'emma' } });
    codeOf(await logIn(service));
    assert.notEqual((await service.session()).owner.subject, owner.subject);
    // It says nothing of the time of a login.
    const fresh = await logIn(service, new UserAgent(), '&prompt=login');
    assert.match(fresh.location ?? '', /error=login_required/);
  });

  it('is refused with a code that GitHub does not know, and with an answer without a number', async () => {
    await using provider = await startTestProvider();
    await using service = await startService({ ...optionsFor(provider), preset: 'github' });
    for (const [twist, check] of [
      [github({}, (response) => json(response, { error: 'bad_verification_code' })), 'code'],
      [github({ '/api/v3/user': { login: 'emma' } }), 'subject'],
      [github({ '/api/v3/user': [] }), 'userinfo'],
      [github({ '/api/v3/user/emails?per_page=100': {} }), 'userinfo'],
    ] as const) {
      provider.twist = twist;
      assert.equal((await logIn(service)).status, 403);
      assert.equal(service.rejected().at(-1)?.check, check);
    }
  });
});

describe('the options of presets', () => {
  it('are demanded where a preset cannot do without them', () => {
    for (const [settings, options] of [
      [{ preset: 'microsoft', clientId }, ['tenant']],
      [{ preset: 'microsoft', clientId, tenant: 'common' }, ['tenants']],
      [{ preset: 'apple', clientId }, ['teamId', 'keyId', 'privateKeyFile']],
      [{ preset: 'facebook', clientId }, ['preset', 'issuer']],
      [{ preset: 'google', clientId }, []],
      [{ preset: 'github', clientId }, []],
    ] as const) {
      const problems: string[] = [];
      try {
        readOptions(settings);
      } catch (error) {
        if (!(error instanceof ModuleOptionsError)) throw error;
        problems.push(...error.problems.map(({ option }) => option));
      }
      assert.deepEqual(problems, options);
    }
  });
});
