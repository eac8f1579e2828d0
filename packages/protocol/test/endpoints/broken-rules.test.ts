import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  authorizationRequest,
  buildClient,
  buildPublicClient,
  buildResourceServer,
  clientRequest,
  type FlowDependencies,
  flowDependencies,
  seededRandom,
  TestBrowser,
} from '@watchword/testkit';
import { generateSecret } from '../../src/clients/authentication/machine-secret.ts';
import { tokenEndpoint } from '../../src/endpoints/token.ts';
import { tokenInfoEndpoint } from '../../src/endpoints/token-info.ts';
import { createBearerValue } from '../../src/tokens/bearer-value.ts';

const code = { grant_type: 'authorization_code', redirect_uri: 'https://app.example/cb' };
const refresh = { grant_type: 'refresh_token' };
const webApp = 'web-app:client-secret';
// RFC 7636 Appendix B.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };

const digestOf = (value: string) => `sha256:${createHash('sha256').update(value).digest('hex').slice(0, 12)}`;

/** What the last request broke: the rule, what was expected, and what came. */
function broken(deps: FlowDependencies) {
  const { rule, expected, came } =
    deps.requestErrorLog.failures.at(-1) ?? assert.fail('nothing was reported');
  return [rule, expected, came];
}

async function tokenRule(deps: FlowDependencies, form: Record<string, string>, as: string = webApp) {
  await assert.rejects(tokenEndpoint(deps)(clientRequest(form, as === '' ? undefined : as)));
  return broken(deps);
}

async function authorizationRule(deps: FlowDependencies, parameters: Record<string, string>) {
  const request = deps.authorization.authorize(authorizationRequest(parameters), new TestBrowser().state);
  await request.catch(() => {});
  return broken(deps);
}

describe('the rule that a token request breaks', () => {
  it('is that of the code, with a fingerprint of the code that came, the same for the code of another client', async () => {
    const deps = await flowDependencies();
    deps.store.putClient(
      buildClient({ id: 11, clientId: 'other', redirectUris: ['https://app.example/cb'] }),
    );
    assert.deepEqual(await tokenRule(deps, { ...code, code: 'hunter2' }), [
      'known_code',
      undefined,
      undefined,
    ]);
    const value = (await deps.grant()).get('code') ?? '';
    const unknown = createBearerValue('code', deps.clock.now(), seededRandom('other')).value;
    const shown = (text: string) => [
      'known_code',
      undefined,
      `a code with the fingerprint ${digestOf(text)}`,
    ];
    assert.deepEqual(await tokenRule(deps, { ...code, code: unknown }), shown(unknown));
    assert.deepEqual(await tokenRule(deps, { ...code, code: value }, 'other:client-secret'), shown(value));
    assert.deepEqual(
      await tokenRule(deps, { ...code, code: value, redirect_uri: 'https://app.example/cb/' }),
      [
        'code_redirect_uri',
        'redirect_uri "https://app.example/cb"',
        'redirect_uri "https://app.example/cb/"',
      ],
    );
    await deps.token({ ...code, code: value });
    assert.deepEqual(await tokenRule(deps, { ...code, code: value }), [
      'unused_code',
      'a code that was not redeemed',
      `the redeemed code with the fingerprint ${digestOf(value)}`,
    ]);
    const late = (await deps.grant()).get('code') ?? '';
    deps.clock.advance(60_000);
    assert.equal((await tokenRule(deps, { ...code, code: late }))[0], 'code_lifetime');
  });

  it('is that of PKCE, with the beginnings of both challenges and never the verifier', async () => {
    const deps = await flowDependencies();
    const bound = async () => ({ ...code, code: (await deps.grant(pkce)).get('code') ?? '' });
    const expected = 'a code_verifier whose S256 challenge begins with E9Melhoa2Owv…';
    assert.deepEqual(await tokenRule(deps, await bound()), ['code_verifier', expected, 'no code_verifier']);
    const wrong = `${verifier.slice(0, -1)}X`;
    const start = createHash('sha256').update(wrong).digest('base64url').slice(0, 12);
    assert.deepEqual(await tokenRule(deps, { ...(await bound()), code_verifier: wrong }), [
      'code_verifier',
      expected,
      `a code_verifier whose S256 challenge begins with ${start}…`,
    ]);
    assert.deepEqual(await tokenRule(deps, { ...(await bound()), code_verifier: 'hunter2' }), [
      'code_verifier',
      expected,
      'a code_verifier that is not 43 to 128 characters of A-Z a-z 0-9 - . _ ~',
    ]);
    const unbound = { ...code, code: (await deps.grant()).get('code') ?? '', code_verifier: verifier };
    assert.equal((await tokenRule(deps, unbound))[0], 'code_challenge_first');
  });

  it('is that of the refresh token, with a fingerprint of what can be one', async () => {
    const deps = await flowDependencies();
    const { refresh_token = '' } = await deps.token({
      ...code,
      code: (await deps.grant()).get('code') ?? '',
    });
    assert.deepEqual(await tokenRule(deps, { ...refresh, refresh_token: 'hunter2' }), [
      'known_refresh_token',
      undefined,
      'a text that is no refresh token of this server',
    ]);
    await deps.token({ ...refresh, refresh_token });
    deps.clock.advance(60_000);
    assert.deepEqual(await tokenRule(deps, { ...refresh, refresh_token }), [
      'unused_refresh_token',
      'the refresh token of the last answer',
      `a refresh token with the fingerprint ${digestOf(refresh_token)}, which was used before`,
    ]);
  });

  it('is that of client authentication, with a fingerprint only of a secret that a server has made', async () => {
    const deps = await flowDependencies();
    const form = { grant_type: 'client_credentials' };
    assert.deepEqual(await tokenRule(deps, form, 'web-app:hunter2'), [
      'client_secret',
      'the registered secret',
      'a text without the form of a secret that this server makes',
    ]);
    const secret = generateSecret(seededRandom('secret'));
    assert.deepEqual(await tokenRule(deps, form, `web-app:${secret}`), [
      'client_secret',
      'the registered secret',
      `a secret with the fingerprint ${digestOf(secret)}`,
    ]);
    assert.equal((await tokenRule(deps, { ...form, client_id: 'web-app' }, ''))[0], 'confidential_client');
    deps.store.putClient(buildPublicClient({ id: 20, clientId: 'page' }));
    assert.equal((await tokenRule(deps, form, 'page:x'))[0], 'public_client');
    const posting = { ...deps.webApp, tokenEndpointAuthMethod: 'client_secret_post' } as const;
    deps.store.putClient(posting);
    for (const [body, credentials, method] of [
      [form, webApp, 'client_secret_basic'],
      [{ ...form, client_id: 'web-app' }, '', 'none'],
    ] as const) {
      const found = await tokenRule(deps, body, credentials);
      assert.deepEqual(found, ['registered_method', 'client_secret_post', method]);
    }
  });

  it('is that of the right to a grant type, of the scope, or of a missing parameter', async () => {
    const deps = await flowDependencies();
    assert.deepEqual(await tokenRule(deps, { grant_type: 'client_credentials' }), [
      'allowed_client_credentials',
      'allowedClientCredentials, and a confidential client',
      'grant_type=client_credentials',
    ]);
    assert.deepEqual(await tokenRule(deps, { grant_type: 'hunter2' }), [
      'supported_grant_type',
      'client_credentials, authorization_code, refresh_token',
      undefined,
    ]);
    const job = deps.store.putClient(buildClient({ id: 12, clientId: 'job', scopes: ['read'] }));
    const wanted = { grant_type: 'client_credentials', scope: 'read admin' };
    assert.deepEqual(await tokenRule(deps, wanted, `${job.clientId}:client-secret`), [
      'available_scope',
      'read',
      '"admin"',
    ]);
    assert.equal((await tokenRule(deps, code))[0], 'required_parameter');
  });
});

describe('the rule that an authorization request breaks', () => {
  it('is that of redirect URI, response type, PKCE, scope, prompt or OpenID Connect', async () => {
    const deps = await flowDependencies();
    assert.deepEqual(await authorizationRule(deps, { redirect_uri: 'https://app.example/?code=x' }), [
      'registered_redirect_uri',
      'https://app.example/cb',
      '"https://app.example/?…"',
    ]);
    const rules = new Map([
      ['response_type=code code', 'supported_response_type'],
      ['response_type=token', 'allowed_response_type'],
      ['response_type=code token', 'allowed_response_type'],
      ['response_mode=x', 'response_mode'],
      ['code_challenge_method=S256', 'pkce_challenge'],
      ['code_challenge=x', 'pkce_method'],
      ['scope=admin', 'available_scope'],
      ['prompt=perhaps', 'prompt'],
      ['prompt=none', 'user_login'],
      ['max_age=x', 'max_age'],
      ['request=x', 'plain_parameters'],
    ]);
    for (const [parameter, rule] of rules) {
      const [name = '', value = ''] = parameter.split('=');
      assert.equal((await authorizationRule(deps, { [name]: value }))[0], rule, parameter);
    }
    const [, , alone] = await authorizationRule(deps, { code_challenge_method: 'S256' });
    assert.equal(alone, 'code_challenge_method alone');
    deps.store.putClient({ ...deps.webApp, confidential: false });
    const [rule, , neither] = await authorizationRule(deps, {});
    assert.deepEqual([rule, neither], ['pkce_challenge', 'neither of them']);
  });
});

describe('the rule that a token info request breaks', () => {
  it('is that of another resource server, with the keys of both', async () => {
    const deps = await flowDependencies();
    deps.store.putResourceServer(buildResourceServer({ id: 90, key: 'other-api', name: 'Other' }));
    const value = await deps.issue();
    const ask = clientRequest({}, 'other-api:resource-server-secret');
    await assert.rejects(tokenInfoEndpoint(deps)(ask, () => value));
    assert.deepEqual(broken(deps), [
      'token_of_resource_server',
      `the resource server ${deps.resourceServer.key}`,
      'the resource server other-api',
    ]);
  });
});
