import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  authorizationRequest,
  buildClient,
  buildPublicClient,
  clientRequest,
  type FlowDependencies,
  flowDependencies,
  introspectRequest,
  seededRandom,
  TestBrowser,
} from '@watchword/testkit';
import { rotatedSecret, storedSecret } from '../../src/clients/authentication/machine-secret.ts';
import { introspectionEndpoint } from '../../src/endpoints/introspection.ts';
import { errorCause } from '../../src/endpoints/report-request-error.ts';
import { revocationEndpoint } from '../../src/endpoints/revocation.ts';
import { tokenEndpoint } from '../../src/endpoints/token.ts';
import { tokenInfoEndpoint } from '../../src/endpoints/token-info.ts';
import { OAuthError } from '../../src/model/errors/errors.ts';
import { quoted, quotedUrl } from '../../src/model/quoted.ts';
import { StoreUnavailableError } from '../../src/ports/stores/store-errors.ts';
import { createBearerValue } from '../../src/tokens/bearer-value.ts';

const code = { grant_type: 'authorization_code', redirect_uri: 'https://app.example/cb' };
const webApp = 'web-app:client-secret';

function last(deps: FlowDependencies) {
  return deps.requestErrorLog.failures.at(-1) ?? assert.fail('nothing was reported');
}

/** The reason of a token request that must fail. */
async function tokenReason(
  deps: FlowDependencies,
  form: Record<string, string>,
  as = webApp,
): Promise<string> {
  const credentials = as === 'none' ? undefined : as;
  await assert.rejects(tokenEndpoint(deps)(clientRequest(form, credentials)));
  assert.equal(last(deps).endpoint, 'token');
  return last(deps).reason;
}

/** The reason of an authorization request that must fail. */
async function authorizationReason(deps: FlowDependencies, parameters: Record<string, string>) {
  const request = deps.authorization.authorize(authorizationRequest(parameters), new TestBrowser().state);
  await request.catch(() => {});
  const { reason, endpoint, isAuthenticated } = last(deps);
  assert.deepEqual([endpoint, isAuthenticated], ['authorization', false]);
  return reason;
}

describe('the reason of a failed client authentication', () => {
  const form = { grant_type: 'client_credentials' };
  it('says whether the secret is wrong, missing, too many, or the one before the rotation', async () => {
    const deps = await flowDependencies();
    const { webApp: client, clock, store } = deps;
    assert.equal(await tokenReason(deps, form, 'web-app:wrong'), 'The secret is wrong.');
    assert.match(
      await tokenReason(deps, { ...form, client_id: 'web-app' }, 'none'),
      /^The client is confidential, but the request has no secret\./,
    );
    const old = storedSecret('client-secret');
    store.putClient({ ...client, secret: rotatedSecret('new', old, clock.now(), 60) });
    clock.advance(60_001);
    assert.match(
      await tokenReason(deps, form),
      /^The secret is the previous one, which was valid until \d{4}-.*Z\.$/,
    );
    store.putClient({ ...client, secret: undefined });
    assert.match(await tokenReason(deps, form), /has no secret\. Rotate/);
    store.putClient(buildPublicClient({ id: 20, clientId: 'page' }));
    assert.match(await tokenReason(deps, form, 'page:x'), /^The client is public and has no secret/);
  });

  it('says that a public client cannot introspect', async () => {
    const deps = await flowDependencies();
    deps.store.putClient(buildPublicClient({ id: 20, clientId: 'page' }));
    await assert.rejects(introspectionEndpoint(deps)(clientRequest({ token: 'x', client_id: 'page' })));
    assert.match(last(deps).reason, /does not take client authentication by the method none/);
    assert.equal(last(deps).endpoint, 'introspection');
  });

  it('is not reported for a request that names no registered client', async () => {
    const deps = await flowDependencies();
    for (const as of ['nobody:secret', undefined]) {
      await assert.rejects(tokenEndpoint(deps)(clientRequest(form, as)));
    }
    await assert.rejects(introspectionEndpoint(deps)(introspectRequest('', 'test-api:wrong')));
    assert.deepEqual(deps.requestErrorLog.failures, []);
  });
});

describe('the reason of a failed token request', () => {
  it('says what is wrong with an authorization code, and never that a code of another client exists', async () => {
    const deps = await flowDependencies();
    const { store, clock } = deps;
    store.putClient(buildClient({ id: 11, clientId: 'other', redirectUris: ['https://app.example/cb'] }));
    const newCode = async () => (await deps.grant()).get('code') ?? '';
    const value = await newCode();
    assert.match(await tokenReason(deps, { ...code, code: 'x' }), /is not an authorization code/);
    const unknown = createBearerValue('code', clock.now(), seededRandom()).value;
    const ofAnother = await tokenReason(deps, { ...code, code: value }, 'other:client-secret');
    assert.match(ofAnother, /^The client has no such authorization code/);
    assert.equal(await tokenReason(deps, { ...code, code: unknown }, 'other:client-secret'), ofAnother);
    assert.equal(
      await tokenReason(deps, { ...code, code: value, redirect_uri: 'https://evil.example/?token=secret' }),
      'The token request has redirect_uri "https://evil.example/?…", the authorization request had redirect_uri "https://app.example/cb".',
    );
    await deps.token({ ...code, code: value });
    assert.match(await tokenReason(deps, { ...code, code: value }), /^The authorization code was redeemed/);
    const late = await newCode();
    clock.advance(60_000);
    assert.match(await tokenReason(deps, { ...code, code: late }), /^The authorization code expired at \d/);
    const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    const bound = await deps.grant({ code_challenge: challenge, code_challenge_method: 'S256' });
    assert.match(await tokenReason(deps, { ...code, code: bound.get('code') ?? '' }), /no code_verifier/);
  });

  it('says what is wrong with a refresh token, and never that a token of another client exists', async () => {
    const deps = await flowDependencies();
    const { store, clock, webApp: client } = deps;
    store.putClient(buildClient({ id: 11, clientId: 'other', useRefreshTokens: true }));
    const redeem = async () => deps.token({ ...code, code: (await deps.grant()).get('code') ?? '' });
    const { refresh_token = '' } = await redeem();
    const form = { grant_type: 'refresh_token', refresh_token };
    const unknown = await tokenReason(deps, { ...form, refresh_token: 'x' });
    assert.match(unknown, /^The client has no such refresh token/);
    assert.equal(await tokenReason(deps, form, 'other:client-secret'), unknown);
    store.putClient({ ...client, tokensValidFrom: clock.now() });
    assert.match(
      await tokenReason(deps, form),
      /^It was issued before all tokens of the client were revoked/,
    );
    store.putClient(client);
    clock.advance(1_000_000);
    assert.match(await tokenReason(deps, form), /^The refresh token expired at \d/);
  });

  it('names the scope, the right and the grant types, but never an unknown grant type', async () => {
    const deps = await flowDependencies();
    const credentials = { grant_type: 'client_credentials' };
    assert.equal(
      await tokenReason(deps, credentials),
      'The registration of the client does not allow grant_type=client_credentials. It needs allowedClientCredentials, and a confidential client.',
    );
    assert.equal(
      await tokenReason(deps, { grant_type: 'hunter2' }),
      'The server does not support the grant_type of the request. It supports client_credentials, authorization_code, refresh_token.',
    );
    deps.store.putClient(buildClient({ id: 12, clientId: 'job', scopes: ['read'] }));
    assert.equal(
      await tokenReason(deps, { ...credentials, scope: 'read admin' }, 'job:client-secret'),
      'The request asks for the scope "admin". It can be granted: read.',
    );
    assert.ok(last(deps).isAuthenticated);
  });

  it('does not take a public client for authenticated', async () => {
    const deps = await flowDependencies();
    deps.store.putClient(buildPublicClient({ id: 20, clientId: 'page' }));
    await tokenReason(deps, { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'page' }, 'none');
    assert.deepEqual([last(deps).clientRecordId, last(deps).isAuthenticated], [20, false]);
  });
});

describe('the reason of a failed authorization request', () => {
  it('names the redirect URI that came and those that are registered', async () => {
    const deps = await flowDependencies();
    assert.equal(
      await authorizationReason(deps, { redirect_uri: 'https://user:pw@app.example/cb/?token=x' }),
      'The request has redirect_uri "https://…@app.example/cb/?…", which is not registered. Registered: https://app.example/cb.',
    );
    deps.store.putClient({ ...deps.webApp, redirectUris: [] });
    assert.match(await authorizationReason(deps, { redirect_uri: '' }), /Registered: none\.$/);
  });

  it('names response type, scope and PKCE', async () => {
    const deps = await flowDependencies();
    assert.match(
      await authorizationReason(deps, { response_type: 'code code' }),
      /response_type "code code"/,
    );
    assert.match(
      await authorizationReason(deps, { response_type: 'token' }),
      /does not allow response_type=token/,
    );
    assert.match(await authorizationReason(deps, { scope: 'admin' }), /asks for the scope "admin"/);
    const plain = { code_challenge: 'x', code_challenge_method: 'plain' };
    assert.match(await authorizationReason(deps, plain), /must be S256; the request has "plain"/);
    deps.store.putClient({ ...deps.webApp, confidential: false });
    assert.match(await authorizationReason(deps, {}), /A public client must use PKCE/);
  });

  it('is also reported of a request that ends after the login', async () => {
    const deps = await flowDependencies();
    assert.match(await authorizationReason(deps, { prompt: 'none' }), /prompt=none/);
    const browser = new TestBrowser();
    const shown = browser.take(await deps.authorization.authorize(authorizationRequest(), browser.state));
    assert.ok(shown.type === 'login');
    const login = new Map([
      ['auth_state', [shown.authState]],
      ['username', ['emma']],
    ]);
    const asked = browser.take(await deps.authorization.login(login, browser.state));
    assert.ok(asked.type === 'consent');
    const denial = new Map([
      ['auth_state', [asked.authState]],
      ['decision', ['deny']],
    ]);
    await deps.authorization.consent(denial, browser.state);
    const { reason, requestId } = last(deps);
    assert.deepEqual([reason, requestId], ['The resource owner denied consent.', 'request-1']);
  });

  it('is not reported for a request that succeeds, or that names no client', async () => {
    const deps = await flowDependencies();
    await deps.grant();
    for (const client_id of ['nobody', '']) {
      const request = authorizationRequest({ client_id });
      await assert.rejects(deps.authorization.authorize(request, new TestBrowser().state));
    }
    assert.deepEqual(deps.requestErrorLog.failures, []);
  });
});

describe('the reason of a failed request about a token', () => {
  it('is reported of a revocation by a client', async () => {
    const deps = await flowDependencies();
    await assert.rejects(revocationEndpoint(deps)(clientRequest({}, webApp)));
    const { endpoint, reason, isAuthenticated } = last(deps);
    assert.deepEqual(
      [endpoint, reason, isAuthenticated],
      ['revocation', 'The parameter token is missing.', true],
    );
  });

  it('is reported of token info for the client of the token, which is not authenticated', async () => {
    const deps = await flowDependencies();
    deps.store.putClient({ ...deps.client, expireDuration: 60 });
    const value = await deps.issue({ ...deps.client, expireDuration: 60 });
    const ask = () =>
      tokenInfoEndpoint(deps)(clientRequest({}, 'test-api:resource-server-secret'), () => value);
    await ask();
    deps.clock.advance(60_000);
    await assert.rejects(ask());
    const { endpoint, error, reason, isAuthenticated, clientRecordId } = last(deps);
    assert.deepEqual(
      [endpoint, error, isAuthenticated, clientRecordId],
      ['tokenInfo', 'token_expired', false, deps.client.id],
    );
    assert.match(reason, /^The resource server asked about an access token that expired at \d/);
  });
});

describe('a text of a request in a reason', () => {
  const token = 'wwa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
  const jwt =
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4ifQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  it('has nothing that looks like a token, a code, a verifier or a secret', () => {
    for (const text of [token, `read ${token}`, `${'x'.repeat(90)} ${token}`, 'wws_short']) {
      assert.doesNotMatch(quoted(text), /ww[a-z]_/);
    }
    assert.doesNotMatch(quoted(jwt), /dBjft|JzdWIi/);
    assert.doesNotMatch(quoted('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'), /dBj/);
  });

  it('has at most a hundred characters', () => {
    assert.equal(quoted('a b '.repeat(1000)).length, 103);
  });

  it('has no user, query and fragment of a URL', () => {
    assert.equal(quotedUrl('https://a:b@x.example:8/cb?code=1#y'), '"https://…@x.example:8/cb?…"');
    assert.equal(quotedUrl('https://x.example/cb#access_token=1'), '"https://x.example/cb#…"');
    assert.equal(quotedUrl(''), '""');
  });
});

describe('the cause of a refusal', () => {
  it('has what came, or else every violation, without what can be a secret', () => {
    const violations = ['name: is required', 'scopes: "wws_c2VjcmV0" is not a scope token'];
    const cause = errorCause(new OAuthError('invalid_request', { violations }));
    assert.match(cause.came ?? '', /^name: is required; scopes: /);
    assert.doesNotMatch(cause.came ?? '', /c2VjcmV0/);
    assert.equal(errorCause(new OAuthError('invalid_request', { violations, came: 'x' })).came, 'x');
    assert.equal(errorCause(new OAuthError('invalid_request')).came, undefined);
  });
});

describe('the cause of an error that is no refusal', () => {
  it('is the database where that is not available, and the server itself otherwise', () => {
    const causes = [new StoreUnavailableError('busy'), new Error('a defect'), undefined].map(errorCause);
    assert.deepEqual(
      causes.map(({ error }) => error),
      ['temporarily_unavailable', 'server_error', 'server_error'],
    );
    assert.ok(!JSON.stringify(causes).includes('defect'));
  });
});
