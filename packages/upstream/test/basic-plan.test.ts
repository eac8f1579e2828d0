import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { UserAgent } from '@watchword/testkit/user-agent';
import {
  codeOf,
  logIn,
  optionsFor,
  requestLogin,
  type Service,
  sharedService,
  startService,
} from './support/service.ts';
import {
  clientId,
  clientSecret,
  firstKey,
  secondKey,
  startTestProvider,
  type TestProvider,
  type Twist,
} from './support/test-provider.ts';

// Each test is a module of the plan oidcc-client-basic-certification-test-plan of the OpenID Foundation, by its name.
describe('as a relying party of the plan Basic', () => {
  let provider: TestProvider;
  let service: Service;
  sharedService((started) => {
    ({ provider, service } = started);
  });
  beforeEach(() => {
    provider.twist = {};
    provider.keys = [firstKey];
  });

  const accepted = async () => service.tokenInfo(await logIn(service));
  const assertRejected = async (check: string, twist: Twist) => {
    provider.twist = twist;
    const before = service.rejected().length;
    const page = await logIn(service);
    assert.equal(page.location, undefined, 'the browser was sent on');
    assert.equal(page.status, 403, page.text);
    const [rejected, ...others] = service.rejected().slice(before);
    assert.deepEqual([rejected?.check, others], [check, []], rejected?.detail ?? '');
    assert.match(page.text, /The sign-in was not accepted/);
  };

  it('oidcc-client-test: logs the user of the provider in, by state, nonce and PKCE', async () => {
    const agent = new UserAgent();
    const page = await requestLogin(service, agent);
    const { searchParams, pathname } = new URL(page.location ?? assert.fail(page.text));
    assert.equal(pathname, '/authorize');
    assert.equal(searchParams.get('tenant'), '1', 'the query of the endpoint stays');
    for (const [name, form] of [
      ['response_type', /^code$/],
      ['scope', /^openid profile email$/],
      ['redirect_uri', /\/login\/corp\/callback$/],
      ['state', /^[0-9a-f-]{36}$/],
      ['nonce', /^[\w-]{43}$/],
      ['code_challenge', /^[\w-]{43}$/],
      ['code_challenge_method', /^S256$/],
    ] as const) {
      assert.match(searchParams.get(name) ?? '', form, name);
    }
    const { principal } = await accepted();
    assert.equal(principal.name, 'user-1');
    assert.equal(principal.attributes.DISPLAY_NAME, 'Emma');
    assert.equal(principal.attributes.IDENTITY_PROVIDER, provider.issuer);
    assert.ok(!principal.adminPrincipal);
    assert.equal((await service.session()).owner.identityProvider, `corp:${provider.issuer}`);
  });

  it('oidcc-client-test-invalid-iss: rejects an ID token of another issuer', () =>
    assertRejected('issuer', { claims: ({ iss }) => ({ iss: `${iss}/other` }) }));

  it('oidcc-client-test-missing-sub: rejects an ID token without sub', () =>
    assertRejected('subject', { claims: () => ({ sub: undefined }) }));

  it('oidcc-client-test-invalid-aud: rejects an ID token for another client', () =>
    assertRejected('audience', { claims: () => ({ aud: 'another client' }) }));

  it('oidcc-client-test-missing-iat: rejects an ID token without iat', () =>
    assertRejected('time', { claims: () => ({ iat: undefined }) }));

  it('oidcc-client-test-kid-absent-single-jwks: accepts an ID token without kid by the only key', async () => {
    provider.keys = [{ name: 'idp', kid: undefined }];
    provider.twist = { idToken: (claims) => provider.sign(claims, { kid: undefined }) };
    await accepted();
  });

  it('oidcc-client-test-kid-absent-multiple-jwks: rejects an ID token without kid where several keys are published', async () => {
    await using others = await startTestProvider();
    others.keys = [firstKey, secondKey];
    others.twist = { idToken: (claims) => others.sign(claims, { kid: undefined }) };
    await using other = await startService(optionsFor(others));
    assert.equal((await logIn(other)).status, 403);
    assert.deepEqual(
      other.rejected().map(({ check }) => check),
      ['signature'],
    );
  });

  it('oidcc-client-test-idtoken-sig-rs256: accepts an ID token that is signed by RS256', () => accepted());

  it('oidcc-client-test-idtoken-sig-none: rejects an ID token without a signature, also where the provider offers it', () =>
    assertRejected('signature', { idToken: (claims) => provider.sign(claims, { alg: 'none' }) }));

  it('oidcc-client-test-invalid-sig-rs256: rejects an ID token whose signature is wrong', () =>
    assertRejected('signature', {
      async idToken(claims) {
        const [header, payload, signature = ''] = (await provider.sign(claims)).split('.');
        return [header, payload, `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`].join('.');
      },
    }));

  it('oidcc-client-test-userinfo-invalid-sub: rejects UserInfo of another user', () =>
    assertRejected('subject', { userinfo: (claims) => ({ ...claims, sub: 'user-2' }) }));

  it('oidcc-client-test-nonce-invalid: rejects an ID token with the nonce of another request', () =>
    assertRejected('nonce', { claims: () => ({ nonce: 'another' }) }));

  it('oidcc-client-test-scope-userinfo-claims: asks UserInfo by header, and has its claims', async () => {
    provider.twist = {
      claims: () => ({ name: undefined }),
      userinfo: (claims) => ({ ...claims, name: 'Emma of UserInfo' }),
    };
    const { principal } = await accepted();
    assert.equal(principal.attributes.DISPLAY_NAME, 'Emma of UserInfo');
    assert.match(provider.userinfoRequests.at(-1) ?? '', /^Bearer [\w-]{36}$/);
  });

  it('oidcc-client-test-client-secret-basic: authenticates by HTTP Basic, form-encoded', async () => {
    await accepted();
    const { authorization = '', client_secret: inBody } = provider.tokenRequests.at(-1) ?? {};
    const decoded = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
    const parts = decoded.split(':').map((part) => new URLSearchParams(`x=${part}`).get('x'));
    assert.deepEqual(parts, [clientId, clientSecret]);
    assert.equal(inBody, undefined);
  });
});

describe('a provider that signs by another algorithm', () => {
  let provider: TestProvider;
  before(async () => {
    provider = await startTestProvider();
  });
  after(() => provider[Symbol.asyncDispose]());
  const bySigning = (alg: string): Twist => ({ idToken: (claims) => provider.sign(claims, { alg }) });

  it('logs users in where the options name it, and by no other then', async () => {
    await using own = await startService({ ...optionsFor(provider), signingAlgorithm: 'PS256' });
    provider.twist = bySigning('PS256');
    codeOf(await logIn(own));
    provider.twist = {};
    assert.equal((await logIn(own)).status, 403);
    assert.match(own.rejected()[0]?.detail ?? '', /expected a signature by PS256, got "?RS256/);
  });

  it('logs users in without the option where it does not offer RS256', async () => {
    const offered = { id_token_signing_alg_values_supported: ['PS256', 'PS384'] };
    provider.twist = { metadata: () => offered, ...bySigning('PS384') };
    await using own = await startService(optionsFor(provider));
    codeOf(await logIn(own));
  });
});
