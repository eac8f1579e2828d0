import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { buildClient, type FlowWorld, flowWorld, refusal } from '@watchword/testkit';
import { findAccessToken } from '../src/tokens/find-access-token.ts';

const redirect_uri = 'https://app.example/cb';
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = createHash('sha256').update(verifier).digest('base64url');

const codeOf = async (world: FlowWorld, parameters: Record<string, string> = {}) =>
  (await world.grant(parameters)).get('code') ?? '';

const redeem = (world: FlowWorld, code: string, form: Record<string, string> = {}, credentials?: string) =>
  world.token({ grant_type: 'authorization_code', code, redirect_uri, ...form }, credentials);

describe('an authorization code', () => {
  it('is redeemed for an access token of its owner, with what was granted', async () => {
    const world = await flowWorld();
    const issued = await redeem(world, await codeOf(world, { scope: 'read' }));
    assert.equal(issued.scope, 'read');
    assert.equal(issued.expires_in, 300);
    assert.match(issued.refresh_token ?? '', /^wwr_/);
    const found = await findAccessToken(issued.access_token, world);
    assert.deepEqual(found?.principal, {
      name: 'emma',
      roles: ['staff'],
      groups: ['blue'],
      adminPrincipal: false,
      attributes: { DISPLAY_NAME: 'Emma' },
    });
  });

  it('brings no refresh token to a client that uses none', async () => {
    const world = await flowWorld();
    world.store.putClient({ ...world.webApp, useRefreshTokens: false });
    assert.equal((await redeem(world, await codeOf(world))).refresh_token, undefined);
  });

  it('counts once: redeemed again, it and everything issued for it is dead', async () => {
    const world = await flowWorld();
    const code = await codeOf(world);
    const issued = await redeem(world, code);
    world.clock.advance(30_000);
    await assert.rejects(redeem(world, code), refusal('invalid_grant'));
    assert.equal(await findAccessToken(issued.access_token, world), undefined);
    const refresh = world.token({ grant_type: 'refresh_token', refresh_token: issued.refresh_token ?? '' });
    await assert.rejects(refresh, refusal('invalid_grant'));
  });

  it('kills nothing when who replays it could not have redeemed it', async () => {
    const world = await flowWorld();
    const code = await codeOf(world, { code_challenge: challenge, code_challenge_method: 'S256' });
    const issued = await redeem(world, code, { code_verifier: verifier });
    await assert.rejects(redeem(world, code), refusal('invalid_grant'));
    await assert.rejects(redeem(world, code, { code_verifier: 'x'.repeat(43) }), refusal('invalid_grant'));
    assert.ok(await findAccessToken(issued.access_token, world));
  });

  it('lives for a minute and no longer', async () => {
    const world = await flowWorld();
    const [inTime, late] = [await codeOf(world), await codeOf(world)];
    world.clock.advance(59_999);
    await redeem(world, inTime);
    world.clock.advance(1);
    await assert.rejects(redeem(world, late), refusal('invalid_grant'));
  });

  it('is of one client: another gets nothing for it, and its own still can', async () => {
    const world = await flowWorld();
    const other = { ...world.webApp, id: 11, clientId: 'other-app' };
    world.store.putClient(other);
    const code = await codeOf(world);
    await assert.rejects(redeem(world, code, {}, 'other-app:client-secret'), refusal('invalid_grant'));
    await redeem(world, code);
  });

  for (const [name, uri] of [
    ['missing', ''],
    ['another', 'https://app.example/other'],
    ['in other letters', 'https://app.example/CB'],
  ] as const) {
    it(`is not redeemed with a redirect_uri that is ${name}, and then is with the right one`, async () => {
      const world = await flowWorld();
      const code = await codeOf(world);
      await assert.rejects(redeem(world, code, { redirect_uri: uri }), refusal('invalid_grant'));
      await redeem(world, code);
    });
  }

  it('needs no redirect_uri when the request named none', async () => {
    const world = await flowWorld();
    await redeem(world, await codeOf(world, { redirect_uri: '' }), { redirect_uri: '' });
    await redeem(world, await codeOf(world, { redirect_uri: '' }));
    const code = await codeOf(world, { redirect_uri: '' });
    const elsewhere = redeem(world, code, { redirect_uri: 'https://evil.example/' });
    await assert.rejects(elsewhere, refusal('invalid_grant'));
  });

  it('is bound to its code_challenge', async () => {
    const world = await flowWorld();
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
    const code = await codeOf(world, pkce);
    for (const wrong of ['', challenge, verifier.toLowerCase(), `${verifier}=`, 'short']) {
      if (wrong === 'short') await redeem(world, code, { code_verifier: verifier });
      else await assert.rejects(redeem(world, code, { code_verifier: wrong }), refusal('invalid_grant'));
    }
  });

  it('is not redeemed with a code_verifier when the request had no challenge', async () => {
    const world = await flowWorld();
    const stripped = redeem(world, await codeOf(world), { code_verifier: verifier });
    await assert.rejects(stripped, refusal('invalid_grant'));
  });

  it('is dead after five refused attempts', async () => {
    const world = await flowWorld();
    const code = await codeOf(world);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await assert.rejects(
        redeem(world, code, { redirect_uri: 'https://x.example/' }),
        refusal('invalid_grant'),
      );
    }
    await assert.rejects(redeem(world, code), refusal('invalid_grant'));
  });

  it('is nothing that can be guessed or mistaken: garbage, other kinds of tokens, a changed character', async () => {
    const world = await flowWorld();
    const code = await codeOf(world);
    const { access_token } = await redeem(world, await codeOf(world));
    const changed = `${code.slice(0, 30)}${code[30] === 'A' ? 'B' : 'A'}${code.slice(31)}`;
    for (const wrong of ['x', access_token, code.replace('wwc_', 'wwa_'), changed]) {
      await assert.rejects(redeem(world, wrong), refusal('invalid_grant'));
    }
    await assert.rejects(redeem(world, ''), refusal('invalid_request'));
  });

  it('dies with the client, and when all tokens of the client are revoked', async () => {
    const world = await flowWorld();
    const code = await codeOf(world);
    world.store.putClient({ ...world.webApp, tokensValidFrom: world.clock.now() });
    await assert.rejects(redeem(world, code), refusal('invalid_grant'));
    const later = await codeOf(world);
    await world.store.clients.delete(world.webApp.id);
    await assert.rejects(redeem(world, later), refusal('invalid_client'));
  });

  it('brings only the scopes that the client still has', async () => {
    const world = await flowWorld();
    const code = await codeOf(world);
    world.store.putClient({ ...world.webApp, scopes: ['write'] });
    assert.equal((await redeem(world, code)).scope, 'write');
  });

  it('redeemed fifty times at once gives exactly one answer, and that is dead afterwards', async () => {
    const world = await flowWorld();
    const code = await codeOf(world);
    const attempts = await Promise.allSettled(Array.from({ length: 50 }, () => redeem(world, code)));
    const answered = attempts.filter(({ status }) => status === 'fulfilled');
    assert.equal(answered.length, 1);
    assert.equal(world.store.tokens.size, 1);
    const [token] = world.store.tokens.values();
    assert.equal(await world.accessTokens.find(token?.id ?? ''), undefined);
  });

  it('is for clients that have a redirect URI', async () => {
    const world = await flowWorld();
    world.store.putClient(buildClient());
    const refused = redeem(world, await codeOf(world), {}, 'test-client:client-secret');
    await assert.rejects(refused, refusal('unauthorized_client'));
  });
});
