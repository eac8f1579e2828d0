import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuthorizationAnswer, ClientRegistration } from '@watchword/protocol';
import {
  answeredParameters,
  authorizationRequest,
  type FlowDependencies,
  flowDependencies,
  protocolError,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import type { GrantedRequest, ResponseType } from '../../src/authorize/response-types/response-type.ts';

const implicit = { allowedImplicitGrant: true, confidential: false };

/** A server, and what was granted by it. */
async function provider(registration: Partial<ClientRegistration> = {}) {
  const granted: GrantedRequest[] = [];
  let { responseTypes } = await flowDependencies();
  const recorded = (type: ResponseType, index: number): ResponseType => ({
    ...type,
    issue(request, extra) {
      granted.push(request);
      return responseTypes[index]?.issue(request, extra) ?? assert.fail();
    },
  });
  const deps = await flowDependencies({ responseTypes: responseTypes.map(recorded) });
  // Those that store what they issue where the sessions are.
  ({ responseTypes } = deps);
  deps.store.putClient({
    ...deps.webApp,
    openidScopes: ['profile', 'email', 'offline_access'],
    ...registration,
  });
  return { deps, granted };
}

async function errorOf({ authorization }: FlowDependencies, parameters: Record<string, string>) {
  const answer = await authorization.authorize(authorizationRequest(parameters), new TestBrowser().state);
  assert.ok(answer.type === 'redirect', answer.type);
  const { error, error_description } = Object.fromEntries(answeredParameters(answer.location));
  return `${error}: ${error_description}`;
}

async function upToConsent(
  deps: FlowDependencies,
  parameters: Record<string, string>,
  browser = new TestBrowser(),
) {
  const page = browser.take(
    await deps.authorization.authorize(authorizationRequest(parameters), browser.state),
  );
  const consent = page.type === 'login' ? await logIn(deps, browser, page, 'emma') : page;
  assert.ok(consent.type === 'consent', consent.type);
  return { browser, consent };
}

async function logIn(
  { authorization }: FlowDependencies,
  browser: TestBrowser,
  page: AuthorizationAnswer,
  username: string,
) {
  assert.ok(page.type === 'login', page.type);
  const form = submission({ auth_state: page.authState, username });
  return browser.take(await authorization.login(form, browser.state));
}

/** @param scopes the ticked boxes, separated by spaces */
async function allow(
  { authorization }: FlowDependencies,
  { browser, consent }: Awaited<ReturnType<typeof upToConsent>>,
  scopes?: string,
) {
  const form = new Map([
    ['auth_state', [consent.authState]],
    ['decision', ['allow']],
    ...(scopes === undefined ? [] : [['granted_scopes', scopes.split(' ').filter(Boolean)] as const]),
  ]);
  return browser.take(await authorization.consent(form, browser.state));
}

describe('the scopes of OpenID Connect in an authorization request', () => {
  it('are granted together with those of the resource server', async () => {
    const { deps, granted } = await provider();
    await deps.grant({ scope: 'openid profile read' });
    assert.deepEqual(granted[0]?.grant.scopes, ['openid', 'profile', 'read']);
    assert.deepEqual(granted[0]?.openid, {});
  });

  it('are granted to no client that does not name them', async () => {
    const { deps, granted } = await provider();
    await deps.grant();
    assert.deepEqual(granted[0]?.grant.scopes, deps.webApp.scopes);
    assert.equal(granted[0]?.openid, undefined);
  });

  it('need a place in the registration, but for openid and offline_access; others are left out without an error', async () => {
    const { deps, granted } = await provider({ openidScopes: [] });
    await deps.grant({ scope: 'openid email groups phone offline_access foo read' });
    assert.deepEqual(granted[0]?.grant.scopes, ['openid', 'offline_access', 'read']);
  });

  it('are left out without openid, but for offline_access', async () => {
    const { deps, granted } = await provider();
    await deps.grant({ scope: 'read profile email address offline_access' });
    assert.deepEqual(granted[0]?.grant.scopes, ['read', 'offline_access']);
    assert.equal(granted[0]?.openid, undefined);
  });

  it('are an error if they are no standard ones and openid is missing', async () => {
    const { deps } = await provider({ openidScopes: ['groups'] });
    assert.equal(
      await errorOf(deps, { scope: 'read groups' }),
      'invalid_scope: The scope groups is one of OpenID Connect, and needs the scope openid too.',
    );
    deps.store.putClient({ ...deps.webApp, openidScopes: [] });
    assert.match(await errorOf(deps, { scope: 'read groups' }), /^invalid_scope/);
  });

  it('leave a scope that the resource server has and the client lacks an error', async () => {
    const { deps } = await provider({ scopes: ['read'] });
    assert.match(await errorOf(deps, { scope: 'openid write' }), /^invalid_scope/);
    assert.match(await errorOf(deps, { scope: 'foo' }), /^invalid_scope/);
    assert.match(await errorOf(deps, { scope: 'openid groups foo\\' }), /^invalid_scope/);
  });

  it('never give the scopes of the client to a request whose scopes are all left out', async () => {
    const { deps, granted } = await provider();
    await allow(deps, await upToConsent(deps, { scope: 'profile offline_access' }), '');
    assert.deepEqual(granted[0]?.grant.scopes, []);
  });

  it('need no pages that they would not need alone: with prompt=none, what is left out asks for no consent', async () => {
    const deps = await flowDependencies();
    deps.store.putClient({ ...deps.webApp, openidScopes: ['profile'], useRefreshTokens: false });
    const asked = await upToConsent(deps, { scope: 'openid profile' });
    await allow(deps, asked, 'profile');
    const request = authorizationRequest({
      scope: 'openid profile groups phone offline_access foo',
      prompt: 'none',
    });
    const again = await deps.authorization.authorize(request, asked.browser.state);
    assert.ok(again.type === 'redirect', again.type);
    assert.ok('code' in Object.fromEntries(answeredParameters(again.location)), again.location);
  });

  it('keep the meaning that the resource server gave them, also for a client that lacks it there', async () => {
    const { deps, granted } = await provider({ scopes: ['read', 'openid'] });
    const { resourceServer } = deps;
    deps.store.putResourceServer({
      ...resourceServer,
      scopes: [...resourceServer.scopes, 'openid', 'email'],
    });
    await deps.grant({ scope: 'openid read', claims: 'no JSON' });
    assert.deepEqual(granted[0]?.grant.scopes, ['openid', 'read']);
    assert.equal(granted[0]?.openid, undefined);
    await deps.grant({ scope: 'read email' });
    assert.deepEqual(granted[1]?.grant.scopes, ['read']);
  });

  it('keep a scope groups that the resource server has, without the groups of the user', async () => {
    const { deps, granted } = await provider({ scopes: ['read', 'groups'], openidScopes: ['groups'] });
    const { resourceServer } = deps;
    deps.store.putResourceServer({ ...resourceServer, scopes: ['read', 'groups'] });
    const claims = JSON.stringify({ userinfo: { groups: null } });
    await deps.grant({ scope: 'openid groups', claims });
    assert.deepEqual(granted[0]?.grant.scopes, ['openid', 'groups']);
    assert.equal(granted[0]?.openid?.claims, undefined);
    deps.store.putClient({ ...deps.webApp, scopes: ['read'], openidScopes: ['groups'] });
    assert.match(await errorOf(deps, { scope: 'openid groups' }), /^invalid_scope/);
  });

  it('have offline_access only with a code and refresh tokens; otherwise it is ignored', async () => {
    for (const [registration, request, expected] of [
      [{}, { scope: 'openid offline_access' }, ['openid', 'offline_access']],
      [{ openidScopes: [] }, { scope: 'openid offline_access' }, ['openid', 'offline_access']],
      [{}, { scope: 'read offline_access' }, ['read', 'offline_access']],
      [{ useRefreshTokens: false }, { scope: 'read offline_access' }, ['read']],
      [{ useRefreshTokens: false }, { scope: 'openid offline_access' }, ['openid']],
      [implicit, { scope: 'openid offline_access', response_type: 'id_token', nonce: 'n' }, ['openid']],
    ] as const) {
      const { deps, granted } = await provider(registration);
      await deps.grant(request);
      assert.deepEqual(granted[0]?.grant.scopes, expected);
    }
  });

  it('have offline_access only with consent, which the right to skip it can replace (§11)', async () => {
    const { deps, granted } = await provider();
    const asked = await upToConsent(deps, { scope: 'openid offline_access' });
    await allow(deps, asked, 'openid');
    assert.deepEqual(granted[0]?.grant.scopes, ['openid']);
    const skipping = await provider({ skipConsent: true });
    await skipping.deps.grant({ scope: 'openid offline_access' });
    assert.deepEqual(skipping.granted[0]?.grant.scopes, ['openid', 'offline_access']);
  });

  it('always have openid after the consent, and the others as the resource owner chose', async () => {
    const { deps, granted } = await provider();
    const asked = await upToConsent(deps, { scope: 'openid profile email' });
    assert.deepEqual(asked.consent.scopes, ['openid', 'profile', 'email']);
    await allow(deps, asked, 'email');
    assert.deepEqual(granted[0]?.grant.scopes, ['openid', 'email']);
  });

  it('are remembered as consented', async () => {
    const deps = await flowDependencies();
    deps.store.putClient({ ...deps.webApp, openidScopes: ['profile'] });
    const asked = await upToConsent(deps, { scope: 'openid profile' });
    await allow(deps, asked, '');
    const { browser } = asked;
    const request = (scope: string) => authorizationRequest({ scope });
    const again = await deps.authorization.authorize(request('openid'), browser.state);
    assert.equal(again.type, 'redirect');
    const more = await deps.authorization.authorize(request('openid profile'), browser.state);
    assert.ok(more.type === 'consent');
    assert.deepEqual(more.consented, ['openid']);
  });
});

describe('the parameter nonce', () => {
  it('reaches the response type of an OpenID Connect request', async () => {
    const { deps, granted } = await provider();
    await deps.grant({ scope: 'openid', nonce: 'n-0S6_WzA2Mj' });
    await deps.grant({ scope: 'read', nonce: 'n' });
    assert.deepEqual(
      granted.map(({ openid }) => openid?.nonce),
      ['n-0S6_WzA2Mj', undefined],
    );
  });

  it('is in the ID token that a code gives', async () => {
    const { deps } = await provider();
    const code = (await deps.grant({ scope: 'openid', nonce: 'n-0S6_WzA2Mj' })).get('code') ?? '';
    const redirect_uri = 'https://app.example/cb';
    const { id_token } = await deps.token({ grant_type: 'authorization_code', code, redirect_uri });
    const claims = await deps.signer.verify(String(id_token), { type: 'JWT', keys: 'published' });
    assert.equal(claims?.nonce, 'n-0S6_WzA2Mj');
  });

  it('is required where the authorization endpoint issues an ID token, and so is the scope openid', async () => {
    const { deps } = await provider(implicit);
    const idToken = { response_type: 'id_token' };
    assert.equal(
      await errorOf(deps, { ...idToken, scope: 'openid' }),
      'invalid_request: The response_type id_token needs the parameter nonce.',
    );
    for (const scope of ['', 'read']) {
      assert.equal(
        await errorOf(deps, { ...idToken, scope, nonce: 'n' }),
        'invalid_request: The response_type id_token needs the scope openid.',
      );
    }
  });

  it('has at most 512 octets', async () => {
    const { deps } = await provider();
    const request = authorizationRequest({ scope: 'openid', nonce: 'ü'.repeat(257) });
    await assert.rejects(
      deps.authorization.authorize(request, new TestBrowser().state),
      protocolError('invalid_request'),
    );
  });
});

describe('the parameter claims', () => {
  const claims = (value: unknown) => ({ scope: 'openid', claims: JSON.stringify(value) });

  it('has the claims that the server knows and the client is registered for', async () => {
    const { deps, granted } = await provider();
    const asked = {
      id_token: { email: { essential: true }, auth_time: null, shoe_size: null },
      userinfo: { phone_number: null, name: null },
    };
    await deps.grant(claims(asked));
    assert.deepEqual(granted[0]?.openid?.claims, {
      id_token: { email: { essential: true }, auth_time: null },
      userinfo: { name: null },
    });
  });

  it('is an error if it is malformed', async () => {
    const { deps } = await provider();
    assert.equal(
      await errorOf(deps, { scope: 'openid', claims: '[' }),
      'invalid_request: The parameter claims must have a JSON object.',
    );
  });

  it('asks for consent in the words of the scopes of its claims, and grants no scope', async () => {
    const { deps, granted } = await provider();
    const asked = await upToConsent(deps, claims({ userinfo: { email: null, name: null } }));
    assert.deepEqual(asked.consent.scopes, ['openid', 'email', 'profile']);
    await allow(deps, asked, 'email');
    assert.deepEqual(granted[0]?.openid?.claims, { userinfo: { email: null } });
    assert.deepEqual(granted[0]?.grant.scopes, ['openid']);
    assert.deepEqual(granted[0]?.grant.claims, { userinfo: { email: null } });
  });

  it('gives no claim whose scope the client loses before the answer to the consent page', async () => {
    const { deps, granted } = await provider();
    const asked = await upToConsent(deps, claims({ userinfo: { email: null, name: null } }));
    deps.store.putClient({ ...deps.webApp, openidScopes: ['profile'] });
    await allow(deps, asked, 'profile');
    assert.deepEqual(granted[0]?.grant.claims, { userinfo: { name: null } });
  });

  it('has an effect only on a request with openid', async () => {
    const { deps, granted } = await provider();
    await deps.grant({ scope: 'read', claims: '[' });
    assert.equal(granted[0]?.openid, undefined);
  });
});
