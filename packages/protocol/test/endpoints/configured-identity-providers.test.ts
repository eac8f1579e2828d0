import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accountEndpoint } from '@watchword/accounts';
import {
  authorizationRequest,
  clientRequest,
  type FlowDependencies,
  flowDependencies,
  introspectRequest,
  protocolError,
  subjectIn,
  TestBrowser,
} from '@watchword/testkit';
import { introspectionEndpoint } from '../../src/endpoints/introspection.ts';
import { revocationEndpoint } from '../../src/endpoints/revocation.ts';
import { tokenInfoEndpoint } from '../../src/endpoints/token-info.ts';

const provider = 'test-login';
const redirect_uri = 'https://app.example/cb';

/** A person who has signed in and granted access, with all that came of it. */
async function granted() {
  const deps = await flowDependencies();
  const browser = new TestBrowser();
  const redeem = (code: string) => deps.token({ grant_type: 'authorization_code', code, redirect_uri });
  const tokens = await redeem((await deps.grant({}, browser)).get('code') ?? '');
  const code = (await deps.grant({}, browser)).get('code') ?? '';
  return { deps, browser, tokens, code, redeem: () => redeem(code) };
}

function tokenInfo(deps: FlowDependencies, token: string) {
  return tokenInfoEndpoint(deps)(clientRequest({}, 'test-api:resource-server-secret'), () => token);
}

const introspect = async (deps: FlowDependencies, token: string) =>
  (await introspectionEndpoint(deps)(introspectRequest(token, 'test-api:resource-server-secret'))).active;

const refresh = (deps: FlowDependencies, { refresh_token = '' }: { refresh_token?: string }) =>
  deps.token({ grant_type: 'refresh_token', refresh_token });

const isSignedIn = async (deps: FlowDependencies, { state }: TestBrowser) =>
  (await deps.sessions.current(state, new Set([provider]))) !== undefined;

/** What the store holds of the person, to see that nothing was written. */
async function stored({ store }: FlowDependencies) {
  const subject = await subjectIn(store, { identityProvider: provider, name: 'emma' });
  return JSON.stringify([await store.grants.listBySubject(subject, 0), [...store.tokens]]);
}

describe('what people of an identity provider have', () => {
  it('is rejected while it is not configured, writes nothing, and is valid again when it is', async () => {
    const { deps, browser, tokens, code, redeem } = await granted();
    const { identityProviders, clock } = deps;
    const account = accountEndpoint({ ...deps.dependencies, ...deps, sessions: deps.sessions });
    const before = await stored(deps);
    const session = await deps.sessions.current(browser.state, new Set([provider]));
    // Long enough that a use of the session would be noted.
    clock.advance(200_000);

    identityProviders.gone.add(provider);
    await assert.rejects(tokenInfo(deps, tokens.access_token), protocolError('token_not_found'));
    assert.ok(!(await introspect(deps, tokens.access_token)));
    await assert.rejects(refresh(deps, tokens), protocolError('invalid_grant'));
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await assert.rejects(
        deps.token({ grant_type: 'authorization_code', code }),
        protocolError('invalid_grant'),
      );
    }
    assert.ok(!(await isSignedIn(deps, browser)));
    assert.equal(await account.show(browser.state), undefined);
    const answer = await deps.authorization.authorize(authorizationRequest(), browser.state);
    assert.equal(answer.type, 'login');
    assert.equal(await stored(deps), before);

    identityProviders.gone.clear();
    assert.deepEqual(await deps.store.loginSessions.find(session?.id ?? ''), session);
    assert.equal((await tokenInfo(deps, tokens.access_token)).principal.name, 'emma');
    assert.ok(await isSignedIn(deps, browser));
    assert.ok((await refresh(deps, tokens)).refresh_token);
    clock.advance(-200_000);
    assert.ok((await redeem()).access_token);
  });

  it('is no proof of theft when it is presented once more meanwhile', async () => {
    const { deps, tokens } = await granted();
    const after = await refresh(deps, tokens);
    deps.clock.advance(60_000);
    deps.identityProviders.gone.add(provider);
    await assert.rejects(refresh(deps, tokens), protocolError('invalid_grant'));
    deps.identityProviders.gone.clear();
    assert.ok((await refresh(deps, after)).access_token);
  });

  it('can be given back meanwhile, and stays revoked', async () => {
    const { deps, tokens } = await granted();
    const revoke = revocationEndpoint(deps);
    deps.identityProviders.gone.add(provider);
    await revoke(clientRequest({ token: tokens.access_token }, 'web-app:client-secret'));
    await revoke(clientRequest({ token: tokens.refresh_token ?? '' }, 'web-app:client-secret'));
    deps.identityProviders.gone.clear();
    await assert.rejects(tokenInfo(deps, tokens.access_token), protocolError('token_not_found'));
    await assert.rejects(refresh(deps, tokens), protocolError('invalid_grant'));
  });

  it('answers temporarily_unavailable while its configuration is unknown, because clients discard a rejected token', async () => {
    const { deps, browser, tokens, redeem } = await granted();
    deps.identityProviders.unknown.add(provider);
    for (const asked of [
      () => tokenInfo(deps, tokens.access_token),
      () => introspect(deps, tokens.access_token),
      () => refresh(deps, tokens),
      redeem,
    ]) {
      await assert.rejects(asked(), protocolError('temporarily_unavailable'));
    }
    // The user of a browser can log in with another identity provider.
    const answer = await deps.authorization.authorize(authorizationRequest(), browser.state);
    assert.equal(answer.type, 'login');
    deps.identityProviders.unknown.clear();
    assert.ok((await redeem()).access_token);
  });

  it('of another one is valid all the while, and so is what a client has for itself', async () => {
    const { deps, tokens } = await granted();
    const own = await deps.issue();
    deps.identityProviders.gone.add('https://idp.example');
    assert.equal((await tokenInfo(deps, tokens.access_token)).principal.name, 'emma');
    deps.identityProviders.gone.add(provider);
    assert.equal((await tokenInfo(deps, own)).principal.name, 'test-client');
  });
});
