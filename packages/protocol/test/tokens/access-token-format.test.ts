import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildResourceServer, protocolDependencies } from '@watchword/testkit';
import { findAccessToken } from '../../src/tokens/find-access-token.ts';
import { canBeAccessToken } from '../../src/tokens/formats/formats.ts';
import { newAccessToken } from '../../src/tokens/issue-access-token.ts';

const token = { scopes: ['read'], confirmation: undefined };

describe('the format of access tokens', () => {
  it('is that of the resource server', () => {
    const { accessTokenFormats } = protocolDependencies();
    for (const name of ['opaque', 'jwt'] as const) {
      assert.equal(accessTokenFormats.of([{ resourceServer: { accessTokenFormat: name } }]).name, name);
    }
  });

  it('is opaque for a client with pairwise subjects, which could read the public one in a JWT', async () => {
    const deps = protocolDependencies();
    deps.store.putResourceServer({ ...deps.resourceServer, accessTokenFormat: 'jwt' });
    const format = async (subjectType: 'public' | 'pairwise') => {
      const client = { ...deps.client, subjectType, expireDuration: 600 };
      return (await newAccessToken({ ...token, client }, deps)).accessTokenValue.startsWith('wwa_');
    };
    assert.deepEqual([await format('public'), await format('pairwise')], [false, true]);
  });

  it('is opaque for a resource server that names none', async () => {
    const deps = protocolDependencies();
    const { client } = deps;
    const { accessToken, accessTokenValue } = await newAccessToken({ ...token, client }, deps);
    assert.match(accessTokenValue, /^wwa_/);
    await deps.store.accessTokens.insert(accessToken);
    const found = await findAccessToken(accessTokenValue, deps);
    assert.deepEqual([found?.client, found?.scopes, found?.token.format], [client, ['read'], 'opaque']);
  });

  it('finds no other text', async () => {
    const deps = protocolDependencies();
    const { client } = deps;
    const { accessTokenValue } = await newAccessToken({ ...token, client }, deps);
    for (const text of ['', 'eyJhbGciOiJFUzI1NiJ9.e30.sig', accessTokenValue.replace('wwa_', 'wwr_')]) {
      assert.equal(await deps.accessTokenFormats.find(text), undefined);
    }
    assert.deepEqual(deps.store.lookups, []);
  });

  it('is one of two that a text can have, before anybody looks for the token', async () => {
    const deps = protocolDependencies();
    const { accessTokenValue } = await newAccessToken({ ...token, client: deps.client }, deps);
    for (const text of [accessTokenValue, 'eyJhbGciOiJFUzI1NiJ9.e30.sig'])
      assert.ok(canBeAccessToken(text), text);
    for (const text of ['', 'x', accessTokenValue.replace('wwa_', 'wwr_'), `${accessTokenValue}x`]) {
      assert.equal(canBeAccessToken(text), false, text);
    }
  });

  it('is written with the expiry that was asked for', async () => {
    const deps = protocolDependencies();
    const { client } = deps;
    for (const expires of [0, 17]) {
      const { accessToken } = await newAccessToken({ ...token, client, lifetime: 60, expires }, deps);
      assert.equal(accessToken.expires, expires);
    }
  });

  it('is a JWT only where the server has an algorithm to sign it', async () => {
    const deps = protocolDependencies();
    deps.store.putResourceServer(buildResourceServer({ accessTokenFormat: 'jwt' }));
    Object.assign(deps.signer, { algorithms: [] });
    const made = newAccessToken({ ...token, client: deps.client }, deps);
    await assert.rejects(async () => made, /the server has no signing algorithm/);
  });

  it('decides how long a token lives that has no expiry', async () => {
    const deps = protocolDependencies();
    const client = deps.store.putClient({ ...deps.client, expireDuration: 0 });
    const lifetimeOf = async () => {
      const { accessToken } = await newAccessToken({ ...token, client }, deps);
      return accessToken.expires === 0 ? 0 : accessToken.expires - accessToken.creationDate;
    };
    assert.equal(await lifetimeOf(), 0);
    deps.store.putResourceServer(buildResourceServer({ accessTokenFormat: 'jwt' }));
    assert.equal(await lifetimeOf(), 86_400_000);
  });
});
