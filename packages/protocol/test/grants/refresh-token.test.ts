import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FlowDependencies, flowDependencies, protocolError } from '@watchword/testkit';
import type { TokenResponse } from '../../src/endpoints/token.ts';
import { createBearerValue, parseBearerValue } from '../../src/tokens/bearer-value.ts';
import { findAccessToken } from '../../src/tokens/find-access-token.ts';

async function first(
  deps: FlowDependencies,
  parameters: Record<string, string> = {},
): Promise<TokenResponse> {
  const code = (await deps.grant(parameters)).get('code') ?? '';
  const redirect_uri = 'https://app.example/cb';
  return deps.token({ grant_type: 'authorization_code', code, redirect_uri });
}

const refresh = (
  deps: FlowDependencies,
  { refresh_token = '' }: TokenResponse,
  form: Record<string, string> = {},
  credentials?: string,
) => deps.token({ grant_type: 'refresh_token', refresh_token, ...form }, credentials);

const isActive = async (deps: FlowDependencies, { access_token }: TokenResponse) =>
  (await findAccessToken(access_token, deps)) !== undefined;

describe('a refresh token', () => {
  it('is exchanged for a new pair, and the previous access token stays valid', async () => {
    const deps = await flowDependencies();
    const before = await first(deps);
    const after = await refresh(deps, before);
    assert.notEqual(after.access_token, before.access_token);
    assert.notEqual(after.refresh_token, before.refresh_token);
    assert.equal(after.expires_in, 300);
    assert.ok((await isActive(deps, before)) && (await isActive(deps, after)));
  });

  it('gives a new ID token where the first request had the scope openid, and none otherwise', async () => {
    const deps = await flowDependencies();
    const before = await first(deps, { scope: 'openid read', nonce: 'n' });
    const { id_token, ...after } = await refresh(deps, before);
    assert.equal(typeof id_token, 'string');
    assert.notEqual(id_token, before.id_token);
    assert.equal(after.scope, 'openid read');
    assert.ok(!('id_token' in (await refresh(deps, await first(deps)))));
  });

  it('can be used for fewer scopes, which narrows the access token alone, and never for more', async () => {
    const deps = await flowDependencies();
    const before = await first(deps, { scope: 'read write' });
    const narrowed = await refresh(deps, before, { scope: 'read' });
    assert.equal(narrowed.scope, 'read');
    const full = await refresh(deps, narrowed, { scope: '' });
    assert.equal(full.scope, 'read write');
    const readOnly = await first(deps, { scope: 'read' });
    await assert.rejects(refresh(deps, readOnly, { scope: 'read write' }), protocolError('invalid_scope'));
    await refresh(deps, readOnly);
  });

  it('expires when it is not used for its idle lifetime', async () => {
    const deps = await flowDependencies();
    const before = await first(deps);
    deps.clock.advance(999_999);
    const after = await refresh(deps, before);
    deps.clock.advance(1_000_000);
    await assert.rejects(refresh(deps, after), protocolError('invalid_grant'));
  });

  it('expires with its token family, after any number of uses', async () => {
    const deps = await flowDependencies();
    let latest = await first(deps);
    for (let hour = 0; hour < 5; hour += 1) {
      deps.clock.advance(999_000);
      latest = await refresh(deps, latest);
    }
    deps.clock.advance(5000);
    await assert.rejects(refresh(deps, latest), protocolError('invalid_grant'));
  });

  it('is rejected for another client', async () => {
    const deps = await flowDependencies();
    deps.store.putClient({ ...deps.webApp, id: 11, clientId: 'other-app' });
    const issued = await first(deps);
    await assert.rejects(
      refresh(deps, issued, {}, 'other-app:client-secret'),
      protocolError('invalid_grant'),
    );
    await refresh(deps, issued);
  });

  it('stays valid when the client does not authenticate', async () => {
    const deps = await flowDependencies();
    const issued = await first(deps);
    await assert.rejects(refresh(deps, issued, {}, 'web-app:wrong'), protocolError('invalid_client'));
    await refresh(deps, issued);
  });

  it('is rejected for a client that is no longer registered for refresh tokens', async () => {
    const deps = await flowDependencies();
    const issued = await first(deps);
    deps.store.putClient({ ...deps.webApp, useRefreshTokens: false });
    await assert.rejects(refresh(deps, issued), protocolError('unauthorized_client'));
  });

  it('is revoked when all tokens of the client are', async () => {
    const deps = await flowDependencies();
    const issued = await first(deps);
    deps.store.putClient({ ...deps.webApp, tokensValidFrom: deps.clock.now() });
    await assert.rejects(refresh(deps, issued), protocolError('invalid_grant'));
  });

  it('gives no valid tokens when all tokens of the client are revoked while it is being used', async () => {
    const deps = await flowDependencies();
    const issued = await first(deps);
    deps.clock.advance(1);
    const revokedAt = deps.clock.now();
    deps.clock.advance(1);
    // This node does not know of it yet.
    const late = await refresh(deps, issued);
    deps.store.putClient({ ...deps.webApp, tokensValidFrom: revokedAt });
    assert.ok(!(await isActive(deps, late)));
    await assert.rejects(refresh(deps, late), protocolError('invalid_grant'));
  });

  it('is rejected with another secret: the id that the store has is not enough', async () => {
    const deps = await flowDependencies();
    const issued = await first(deps);
    const id = parseBearerValue('refresh', issued.refresh_token ?? '')?.id;
    const forged = createBearerValue('refresh', 0, deps.random, undefined, id);
    assert.equal(forged.id, id);
    const used = refresh(deps, { ...issued, refresh_token: forged.value });
    await assert.rejects(used, protocolError('invalid_grant'));
    await refresh(deps, issued);
  });

  it('leaves in the store nothing that reads like a token', async () => {
    const deps = await flowDependencies();
    const before = await first(deps);
    const after = await refresh(deps, before);
    const id = [...deps.store.tokens.values()].map((token) => token.grantId);
    assert.equal(new Set(id).size, 1);
    const stored = JSON.stringify(await deps.refreshTokens.find(selectorOf(before.refresh_token ?? '')));
    for (const secret of [before.refresh_token, after.refresh_token, after.access_token]) {
      assert.ok(!stored.includes(secret ?? '?'), stored);
      assert.ok(!stored.includes(Buffer.from(secret ?? '?').toString('base64url')), stored);
    }
  });
});

function selectorOf(value: string): string {
  const hex = Buffer.from(value.slice(4, 68), 'base64url').toString('hex', 0, 16);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
