import assert from 'node:assert/strict';
import { it } from 'node:test';
import { grantFactory } from '../../builders/grant.ts';
import type { OpenStore } from '../store-under-test.ts';
import { withStore } from '../with-store.ts';
import { areFound, coded, plain, redeemed, start } from './granted.ts';

export function refreshTokenRules(openStore: OpenStore): void {
  it(
    'finds a refresh token as it was issued',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, code } = await coded(store, make, { clientRecordId: 7 });
      const issued = make.tokens(grant);
      const refreshToken = {
        ...issued.refreshToken,
        verifierHash: Uint8Array.from({ length: 32 }, (_, index) => 0xe0 + index),
        scopes: ['b', 'a'],
        expires: start - 1000,
        absoluteExpires: Number.MAX_SAFE_INTEGER,
      };
      await store.authorizationCodes.redeem(code.id, { ...issued, refreshToken }, start);
      const found = await store.refreshTokens.find(refreshToken.id);
      assert.deepEqual(plain(found?.token), plain(refreshToken));
      assert.equal(found?.rotation, undefined);
      assert.equal(await store.refreshTokens.find(make.tokens(grant).refreshToken.id), undefined);
    }),
  );

  it(
    'rotates a refresh token once, and stores the tokens of that rotation only',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, refreshToken } = await redeemed(store, make);
      const [first, second] = [make.tokens(grant), make.tokens(grant)];
      assert.ok(await store.refreshTokens.rotate(refreshToken.id, first, 'sealed', start));
      assert.ok(!(await store.refreshTokens.rotate(refreshToken.id, second, 'other', start)));
      assert.deepEqual(await areFound(store, first, second), [true, true, false, false]);
      assert.deepEqual(
        plain(await store.accessTokens.find(first.accessToken.id)),
        plain({ ...first.accessToken, grant }),
      );
    }),
  );

  it(
    'returns for a rotated token the time, the sealed answer and whether its successor was rotated',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, refreshToken } = await redeemed(store, make);
      const sealedAnswer = `${'A-_'.repeat(500)}ü`;
      const next = make.tokens(grant);
      await store.refreshTokens.rotate(refreshToken.id, next, sealedAnswer, start + 5);
      const rotation = async () => (await store.refreshTokens.find(refreshToken.id))?.rotation;
      assert.deepEqual(await rotation(), { at: start + 5, sealedAnswer, successorIsRotated: false });
      assert.equal((await store.refreshTokens.find(next.refreshToken.id))?.rotation, undefined);
      await store.refreshTokens.rotate(next.refreshToken.id, make.tokens(grant), 'x', start + 9);
      assert.deepEqual(await rotation(), { at: start + 5, sealedAnswer, successorIsRotated: true });
      assert.equal((await store.refreshTokens.find(next.refreshToken.id))?.rotation?.at, start + 9);
    }),
  );

  it(
    'keeps earlier access tokens valid after a rotation',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, accessToken, refreshToken } = await redeemed(store, make);
      await store.refreshTokens.rotate(refreshToken.id, make.tokens(grant), 'sealed', start);
      assert.notEqual(await store.accessTokens.find(accessToken.id), undefined);
    }),
  );

  it(
    'does not find or rotate an unknown token or a token of a revoked grant, and stores nothing',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const [revoked, active] = [await redeemed(store, make), await redeemed(store, make)];
      const next = make.tokens(revoked.grant);
      await store.refreshTokens.rotate(revoked.refreshToken.id, next, 'sealed', start);
      await store.grants.revoke(revoked.grant.id, start);
      assert.equal(await store.refreshTokens.find(revoked.refreshToken.id), undefined);
      assert.equal(await store.refreshTokens.find(next.refreshToken.id), undefined);
      const unknown = make.tokens(active.grant);
      for (const [id, grant] of [
        [next.refreshToken.id, revoked.grant],
        [unknown.refreshToken.id, active.grant],
      ] as const) {
        const issued = make.tokens(grant);
        assert.ok(!(await store.refreshTokens.rotate(id, issued, 'sealed', start)));
        assert.deepEqual(await areFound(store, issued), [false, false]);
      }
    }),
  );
}
