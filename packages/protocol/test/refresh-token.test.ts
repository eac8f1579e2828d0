import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FlowWorld, flowWorld, refusal } from '@watchword/testkit';
import type { TokenResponse } from '../src/token-endpoint.ts';
import { findAccessToken } from '../src/tokens/find-access-token.ts';

async function first(world: FlowWorld, parameters: Record<string, string> = {}): Promise<TokenResponse> {
  const code = (await world.grant(parameters)).get('code') ?? '';
  const redirect_uri = 'https://app.example/cb';
  return world.token({ grant_type: 'authorization_code', code, redirect_uri });
}

const refresh = (
  world: FlowWorld,
  { refresh_token = '' }: TokenResponse,
  form: Record<string, string> = {},
  credentials?: string,
) => world.token({ grant_type: 'refresh_token', refresh_token, ...form }, credentials);

const isAlive = async (world: FlowWorld, { access_token }: TokenResponse) =>
  (await findAccessToken(access_token, world)) !== undefined;

describe('a refresh token', () => {
  it('brings a new pair, and the access token before lives on', async () => {
    const world = await flowWorld();
    const before = await first(world);
    const after = await refresh(world, before);
    assert.notEqual(after.access_token, before.access_token);
    assert.notEqual(after.refresh_token, before.refresh_token);
    assert.equal(after.expires_in, 300);
    assert.ok((await isAlive(world, before)) && (await isAlive(world, after)));
  });

  it('may ask for less, which narrows the access token only, and never for more', async () => {
    const world = await flowWorld();
    const before = await first(world, { scope: 'read write' });
    const narrowed = await refresh(world, before, { scope: 'read' });
    assert.equal(narrowed.scope, 'read');
    const full = await refresh(world, narrowed, { scope: '' });
    assert.equal(full.scope, 'read write');
    const readOnly = await first(world, { scope: 'read' });
    await assert.rejects(refresh(world, readOnly, { scope: 'read write' }), refusal('invalid_scope'));
    await refresh(world, readOnly);
  });

  it('dies when it is not used for its idle lifetime', async () => {
    const world = await flowWorld();
    const before = await first(world);
    world.clock.advance(999_999);
    const after = await refresh(world, before);
    world.clock.advance(1_000_000);
    await assert.rejects(refresh(world, after), refusal('invalid_grant'));
  });

  it('dies at the end of its line, however often it was used', async () => {
    const world = await flowWorld();
    let latest = await first(world);
    for (let hour = 0; hour < 5; hour += 1) {
      world.clock.advance(999_000);
      latest = await refresh(world, latest);
    }
    world.clock.advance(5000);
    await assert.rejects(refresh(world, latest), refusal('invalid_grant'));
  });

  it('is of one client', async () => {
    const world = await flowWorld();
    world.store.putClient({ ...world.webApp, id: 11, clientId: 'other-app' });
    const issued = await first(world);
    await assert.rejects(refresh(world, issued, {}, 'other-app:client-secret'), refusal('invalid_grant'));
    await refresh(world, issued);
  });

  it('stays as it is when the client does not authenticate', async () => {
    const world = await flowWorld();
    const issued = await first(world);
    await assert.rejects(refresh(world, issued, {}, 'web-app:wrong'), refusal('invalid_client'));
    await refresh(world, issued);
  });

  it('is no use to a client that may no longer use them', async () => {
    const world = await flowWorld();
    const issued = await first(world);
    world.store.putClient({ ...world.webApp, useRefreshTokens: false });
    await assert.rejects(refresh(world, issued), refusal('unauthorized_client'));
  });

  it('dies when all tokens of the client are revoked', async () => {
    const world = await flowWorld();
    const issued = await first(world);
    world.store.putClient({ ...world.webApp, tokensValidFrom: world.clock.now() });
    await assert.rejects(refresh(world, issued), refusal('invalid_grant'));
  });

  it('leaves in the store nothing that reads like a token', async () => {
    const world = await flowWorld();
    const before = await first(world);
    const after = await refresh(world, before);
    const id = [...world.store.tokens.values()].map((token) => token.grantId);
    assert.equal(new Set(id).size, 1);
    const stored = JSON.stringify(await world.refreshTokens.find(selectorOf(before.refresh_token ?? '')));
    for (const secret of [before.refresh_token, after.refresh_token, after.access_token]) {
      assert.equal(stored.includes(secret ?? '?'), false);
      assert.equal(stored.includes(Buffer.from(secret ?? '?').toString('base64url')), false);
    }
  });
});

function selectorOf(value: string): string {
  const hex = Buffer.from(value.slice(4, 68), 'base64url').toString('hex', 0, 16);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
