import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  answeredParameters,
  authorizationRequest,
  buildPublicClient,
  buildResourceServer,
  clientRequest,
  emma,
  type FlowDependencies,
  flowDependencies,
  introspectRequest,
  presentedRequest,
  TestBrowser,
} from '@watchword/testkit';
import { decodeJwt } from 'jose';
import { type Client, introspectionEndpoint, tokenInfoEndpoint, userinfoEndpoint } from '../../src/index.ts';

const all = 'openid profile email address phone groups read';
const plain = 'openid profile read';
const unconfirmed: Partial<Client> = {
  trusted: false,
  openidScopes: ['profile', 'email', 'address', 'phone', 'groups'],
};
const confirmed: Partial<Client> = { trusted: true };
const attributes = { DISPLAY_NAME: 'Emma', mail: 'emma@example.org', mobile: '+31201234567', c: 'NL' };
const personal = ['address', 'email', 'groups', 'phone_number'];

/** The web application with these fields, and a user with a value for each claim. */
async function flow(
  fields: Partial<Client> = {},
  name = 'test-login',
  has: Record<string, string> = attributes,
) {
  const deps = await flowDependencies({
    authenticator: {
      name,
      begin: async () => ({ type: 'form' }),
      resume: async () => ({
        type: 'authenticated',
        principal: emma({ attributes: has, groups: ['staff'] }),
      }),
    },
  });
  const change = (changed: Partial<Client>) =>
    deps.store.putClient({ ...deps.webApp, ...unconfirmed, ...fields, ...changed });
  change({});
  return { ...deps, change };
}

async function redeemed(
  deps: FlowDependencies,
  parameters: Record<string, string>,
  browser = new TestBrowser(),
) {
  const code = (await deps.grant(parameters, browser)).get('code') ?? '';
  const redirect_uri = 'https://app.example/cb';
  return deps.token({ grant_type: 'authorization_code', code, redirect_uri });
}

const refreshed = (deps: FlowDependencies, refreshToken: string | undefined, scope = '') =>
  deps.token({
    grant_type: 'refresh_token',
    refresh_token: refreshToken ?? '',
    ...(scope !== '' && { scope }),
  });

/** The claims of a user that the client gets by a token. */
async function userinfo(deps: FlowDependencies, token: string): Promise<string[]> {
  const answer = await userinfoEndpoint(deps)(presentedRequest(`Bearer ${token}`));
  return 'claims' in answer ? personal.filter((name) => name in answer.claims) : assert.fail('a JWT');
}

describe('a client that no administrator confirmed', () => {
  it('gets no email, address, phone and groups, and scope of the answer says so', async () => {
    const deps = await flow();
    const { scope, access_token: token } = await redeemed(deps, { scope: all });
    assert.equal(scope, plain);
    assert.deepEqual(await userinfo(deps, token), []);
    for (const fields of [confirmed, { keepsUserData: true }]) {
      const deps = await flow(fields);
      const { scope, access_token: token } = await redeemed(deps, { scope: all });
      assert.equal(scope, all);
      assert.deepEqual(await userinfo(deps, token), personal);
    }
  });

  it('shows no box for what it does not get on the consent page', async () => {
    const deps = await flow();
    const browser = new TestBrowser();
    await deps.grant({ scope: 'openid' }, browser);
    const request = authorizationRequest({ scope: all });
    const page = await deps.authorization.authorize(request, browser.state);
    assert.equal(page.type === 'consent' && page.scopes.join(' '), plain);
  });

  it('gets no such claim by its name, at the userinfo endpoint or in an ID token', async () => {
    const requested = { email: { essential: true }, address: null, phone_number: null, groups: null };
    const claims = JSON.stringify({ userinfo: requested, id_token: requested });
    const seen = async (fields: Partial<Client>) => {
      const deps = await flow(fields);
      const tokens = await redeemed(deps, { scope: 'openid', claims });
      const idToken = decodeJwt(tokens.id_token ?? '');
      return [await userinfo(deps, tokens.access_token), personal.filter((name) => name in idToken)];
    };
    assert.deepEqual(await seen({}), [[], []]);
    assert.deepEqual(await seen(confirmed), [personal, personal]);
  });

  it('gets no such claim in the ID token of the implicit flow', async () => {
    const deps = await flow();
    const open = { ...buildPublicClient(), ...unconfirmed, skipConsent: true };
    const request = { client_id: open.clientId, response_type: 'id_token', nonce: 'n', scope: all };
    const idToken = async () =>
      decodeJwt((await deps.grant(request)).get('id_token') ?? assert.fail('no ID token'));
    deps.store.putClient(open);
    assert.deepEqual(
      Object.keys(await idToken()).filter((name) => personal.includes(name)),
      [],
    );
    deps.store.putClient({ ...open, trusted: true });
    assert.equal((await idToken()).email, 'emma@example.org');
  });

  it('keeps no such data of its tokens when the trust ends, and gets it again with the trust', async () => {
    const deps = await flow(confirmed);
    const first = await redeemed(deps, { scope: all });
    deps.change(unconfirmed);
    assert.deepEqual(await userinfo(deps, first.access_token), []);
    const seen = await introspectionEndpoint(deps)(
      introspectRequest(first.access_token, 'test-api:resource-server-secret'),
    );
    assert.equal(seen.active && seen.scope, plain);
    const second = await refreshed(deps, first.refresh_token);
    assert.equal(second.scope, plain);
    assert.deepEqual(await userinfo(deps, second.access_token), []);
    deps.change(confirmed);
    const third = await refreshed(deps, second.refresh_token);
    assert.equal(third.scope, all);
    assert.deepEqual(await userinfo(deps, third.access_token), personal);
  });

  it('can name them in a refresh, which leaves them out', async () => {
    const deps = await flow(confirmed);
    const { refresh_token: token } = await redeemed(deps, { scope: all });
    deps.change(unconfirmed);
    const nothing = await refreshed(deps, token, 'email phone');
    assert.equal(nothing.scope, '');
    const { scope, access_token: narrow } = await refreshed(
      deps,
      nothing.refresh_token,
      'openid email phone groups',
    );
    assert.equal(scope, 'openid');
    assert.deepEqual(await userinfo(deps, narrow), []);
  });

  it('gets no scope by a refresh that was never granted', async () => {
    const deps = await flow(confirmed);
    const { refresh_token: token } = await redeemed(deps, { scope: 'openid read' });
    const { scope, access_token: narrow } = await refreshed(deps, token, 'openid email groups');
    assert.equal(scope, 'openid');
    assert.deepEqual(await userinfo(deps, narrow), []);
  });

  it('gets no more by a code that was issued before the trust ended', async () => {
    const deps = await flow(confirmed);
    const code = (await deps.grant({ scope: all })).get('code') ?? '';
    deps.change(unconfirmed);
    const redirect_uri = 'https://app.example/cb';
    const tokens = await deps.token({ grant_type: 'authorization_code', code, redirect_uri });
    assert.equal(tokens.scope, plain);
    assert.deepEqual(await userinfo(deps, tokens.access_token), []);
  });

  it('gets no more by a consent that is remembered, with or without prompt=none', async () => {
    const deps = await flow(confirmed);
    const browser = new TestBrowser();
    assert.equal((await redeemed(deps, { scope: all }, browser)).scope, all);
    deps.change(unconfirmed);
    for (const prompt of ['', 'none']) {
      const request = authorizationRequest({ scope: all, prompt });
      const answer = browser.take(await deps.authorization.authorize(request, browser.state));
      assert.ok(answer.type === 'redirect', answer.type);
      const code = answeredParameters(answer.location).get('code') ?? '';
      const redirect_uri = 'https://app.example/cb';
      const tokens = await deps.token({ grant_type: 'authorization_code', code, redirect_uri });
      assert.equal(tokens.scope, plain);
      assert.deepEqual(await userinfo(deps, tokens.access_token), []);
    }
  });

  it('asks for consent to them once it is confirmed', async () => {
    const deps = await flow();
    const browser = new TestBrowser();
    await redeemed(deps, { scope: all }, browser);
    deps.change(confirmed);
    const request = authorizationRequest({ scope: all });
    const page = await deps.authorization.authorize(request, browser.state);
    assert.ok(page.type === 'consent', page.type);
    assert.equal(page.consented.join(' '), plain);
  });

  it('gets no more when users are not asked for consent', async () => {
    const deps = await flow({ skipConsent: true });
    assert.equal((await redeemed(deps, { scope: all })).scope, plain);
  });

  it('gets scopes of these names that its API has of its own', async () => {
    const deps = await flow({ scopes: ['read', 'email'] });
    deps.store.putResourceServer(buildResourceServer({ scopes: ['read', 'email'] }));
    const tokens = await redeemed(deps, { scope: 'openid email phone read' });
    assert.equal(tokens.scope, 'openid email read');
    assert.equal((await refreshed(deps, tokens.refresh_token, 'openid email phone')).scope, 'openid email');
  });

  it('is not given a scope that is not in its registration, as a confirmed one is not', async () => {
    for (const fields of [unconfirmed, confirmed]) {
      const deps = await flow({ ...fields, openidScopes: ['email'] });
      const tokens = await redeemed(deps, { scope: 'openid phone groups read' });
      assert.equal(tokens.scope, 'openid read');
      assert.deepEqual(await userinfo(deps, tokens.access_token), []);
    }
  });

  it('learns no e-mail address, number or postal address of a local account by token info of its own resource server', async () => {
    const plainOnes = { DISPLAY_NAME: 'Emma', given_name: 'Emma', locale: 'nl' };
    const personalOnes = {
      email: 'emma@example.org',
      email_verified: 'true',
      phone_number: '+31201234567',
      phone_number_verified: 'true',
      address: 'Dam 1, Amsterdam',
      street_address: 'Dam 1',
      locality: 'Amsterdam',
      region: 'NH',
      postal_code: '1012 JS',
      country: 'NL',
    };
    const every = { ...plainOnes, ...personalOnes };
    const seen = async (fields: Partial<Client>, authenticator: string) => {
      const deps = await flow(fields, authenticator, every);
      const { access_token: token } = await redeemed(deps, { scope: 'read' });
      const request = clientRequest({}, 'test-api:resource-server-secret');
      return (await tokenInfoEndpoint(deps)(request, () => token)).principal.attributes;
    };
    assert.deepEqual(await seen({}, 'password'), plainOnes);
    for (const fields of [confirmed, { keepsUserData: true }]) {
      assert.deepEqual(await seen(fields, 'password'), every);
    }
    assert.deepEqual(await seen({}, 'test-login'), every);
  });
});
