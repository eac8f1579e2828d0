import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  authorizationRequest,
  basic,
  clientRequest,
  type FlowWorld,
  flowWorld,
  introspectRequest,
  refusal,
  TestBrowser,
} from '@watchword/testkit';
import { accountEndpoint } from '../src/account/account-endpoint.ts';
import { introspectionEndpoint } from '../src/tokens/introspect.ts';
import { revocationEndpoint } from '../src/tokens/revoke.ts';
import { tokenInfoEndpoint } from '../src/tokens/token-info.ts';

const provider = 'test-login';
const redirect_uri = 'https://app.example/cb';

/** A person who has signed in and granted access, with all that came of it. */
async function granted() {
  const world = await flowWorld();
  const browser = new TestBrowser();
  const redeem = (code: string) => world.token({ grant_type: 'authorization_code', code, redirect_uri });
  const tokens = await redeem((await world.grant({}, browser)).get('code') ?? '');
  const code = (await world.grant({}, browser)).get('code') ?? '';
  return { world, browser, tokens, code, redeem: () => redeem(code) };
}

function tokenInfo(world: FlowWorld, token: string) {
  const authorization = basic('test-api:resource-server-secret');
  return tokenInfoEndpoint(world)({ authorization, source: '192.0.2.1', token: () => token });
}

const introspect = async (world: FlowWorld, token: string) =>
  (await introspectionEndpoint(world)(introspectRequest(token, 'test-api:resource-server-secret'))).active;

const refresh = (world: FlowWorld, { refresh_token = '' }: { refresh_token?: string }) =>
  world.token({ grant_type: 'refresh_token', refresh_token });

const isSignedIn = async (world: FlowWorld, { state }: TestBrowser) =>
  (await world.sessions.current(state, provider)) !== undefined;

/** What the store holds of the person, to see that nothing was written. */
async function stored({ store }: FlowWorld) {
  const owner = { authority: provider, name: 'emma' };
  return JSON.stringify([await store.grants.listByOwner(owner, 0), [...store.tokens]]);
}

describe('what people of an identity provider have', () => {
  it('is refused while it is not configured, writes nothing, and is valid again when it is', async () => {
    const { world, browser, tokens, code, redeem } = await granted();
    const { identityProviders, clock } = world;
    const account = accountEndpoint({ ...world.dependencies, ...world, sessions: world.sessions });
    const before = await stored(world);
    const session = await world.sessions.current(browser.state, provider);
    // Long enough that a use of the session would be noted.
    clock.advance(200_000);

    identityProviders.gone.add(provider);
    await assert.rejects(tokenInfo(world, tokens.access_token), refusal('token_not_found'));
    assert.equal(await introspect(world, tokens.access_token), false);
    await assert.rejects(refresh(world, tokens), refusal('invalid_grant'));
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await assert.rejects(world.token({ grant_type: 'authorization_code', code }), refusal('invalid_grant'));
    }
    assert.equal(await isSignedIn(world, browser), false);
    assert.equal(await account.show(browser.state), undefined);
    const answer = await world.authorization.authorize(authorizationRequest(), browser.state);
    assert.equal(answer.type, 'login');
    assert.equal(await stored(world), before);

    identityProviders.gone.clear();
    assert.deepEqual(await world.store.loginSessions.find(session?.id ?? ''), session);
    assert.equal((await tokenInfo(world, tokens.access_token)).principal.name, 'emma');
    assert.equal(await isSignedIn(world, browser), true);
    assert.ok((await refresh(world, tokens)).refresh_token);
    clock.advance(-200_000);
    assert.ok((await redeem()).access_token);
  });

  it('is no proof of theft when it is presented once more meanwhile', async () => {
    const { world, tokens } = await granted();
    const after = await refresh(world, tokens);
    world.clock.advance(60_000);
    world.identityProviders.gone.add(provider);
    await assert.rejects(refresh(world, tokens), refusal('invalid_grant'));
    world.identityProviders.gone.clear();
    assert.ok((await refresh(world, after)).access_token);
  });

  it('can be given back meanwhile, and stays revoked', async () => {
    const { world, tokens } = await granted();
    const revoke = revocationEndpoint(world);
    world.identityProviders.gone.add(provider);
    await revoke(clientRequest({ token: tokens.access_token }, 'web-app:client-secret'));
    await revoke(clientRequest({ token: tokens.refresh_token ?? '' }, 'web-app:client-secret'));
    world.identityProviders.gone.clear();
    await assert.rejects(tokenInfo(world, tokens.access_token), refusal('token_not_found'));
    await assert.rejects(refresh(world, tokens), refusal('invalid_grant'));
  });

  it('waits while nobody can tell whether it is configured: a refusal would make clients forget it', async () => {
    const { world, browser, tokens, redeem } = await granted();
    world.identityProviders.unknown.add(provider);
    for (const asked of [
      () => tokenInfo(world, tokens.access_token),
      () => introspect(world, tokens.access_token),
      () => refresh(world, tokens),
      redeem,
    ]) {
      await assert.rejects(asked(), refusal('temporarily_unavailable'));
    }
    // Somebody in front of a browser can log in by another one.
    const answer = await world.authorization.authorize(authorizationRequest(), browser.state);
    assert.equal(answer.type, 'login');
    world.identityProviders.unknown.clear();
    assert.ok((await redeem()).access_token);
  });

  it('of another one is valid all the while, and so is what a client has for itself', async () => {
    const { world, tokens } = await granted();
    const own = await world.issue();
    world.identityProviders.gone.add('https://idp.example');
    assert.equal((await tokenInfo(world, tokens.access_token)).principal.name, 'emma');
    world.identityProviders.gone.add(provider);
    assert.equal((await tokenInfo(world, own)).principal.name, 'test-client');
  });
});
