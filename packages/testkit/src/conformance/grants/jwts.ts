import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AccessToken, Grant, TokenPair } from '@watchword/protocol';
import { grantFactory } from '../../builders/grant.ts';
import { type OpenStore, type StoreUnderTest, withStore } from '../store-under-test.ts';
import { coded, emma, listed, start } from './granted.ts';

const hour = 3_600_000;

/** The rules for access tokens that are not stored, and for their grants. */
export function jwtRules(openStore: OpenStore): void {
  it(
    'finds a grant until it is revoked',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const claims = { userinfo: { email: { essential: true } } };
      const { grant } = await coded(store, make, { clientRecordId: 7, claims });
      assert.deepEqual(await store.grants.find(grant.id), grant);
      assert.equal(await store.grants.find(make.grant().id), undefined);
      await store.grants.revoke(grant.id, start);
      assert.equal(await store.grants.find(grant.id), undefined);
    }),
  );

  it(
    'stores nothing of a client-credentials token',
    withStore(openStore, async ({ accessTokens }) => {
      const { accessToken } = unstored(grantFactory());
      await accessTokens.insert({ ...accessToken, grantId: undefined });
      assert.deepEqual(await accessTokens.list({ limit: 9 }), []);
    }),
  );

  it(
    'stores a grant for as long as its token is valid, without a row of the token',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, accessToken } = unstored(make);
      assert.ok(await store.grants.insert(grant, accessToken));
      const { grant: other, accessToken: issued } = unstored(make);
      await store.transact(({ issuedTokens }) => issuedTokens.insert(issued, other));
      await assertUntil(store, [grant, other], start + hour);
    }),
  );

  it(
    'extends a grant when its code or its refresh token is exchanged',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, code } = await coded(store, make);
      const redeemed = { ...unstored(make, grant), refreshToken: undefined };
      assert.ok(await store.authorizationCodes.redeem(code.id, redeemed, start));
      assert.ok(!(await store.authorizationCodes.redeem(code.id, redeemed, start)));
      await assertUntil(store, [grant], start + hour);

      const other = await coded(store, make);
      const first = unstored(make, other.grant);
      assert.ok(await store.authorizationCodes.redeem(other.code.id, first, start));
      const later = unstored(make, other.grant, start + 5 * hour);
      const { id } = first.refreshToken;
      assert.ok(await store.refreshTokens.rotate(id, later, 'sealed', start + 5 * hour));
      assert.ok(!(await store.refreshTokens.rotate(id, later, 'sealed', start + 5 * hour)));
      assert.notEqual(await store.refreshTokens.find(later.refreshToken.id), undefined);
      // The refresh token expires after the access token.
      await assertUntil(store, [other.grant], start + 7 * hour);
    }),
  );

  it(
    'does not exchange a code or a refresh token of a revoked grant',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const [unredeemed, used] = [await coded(store, make), await coded(store, make)];
      const tokens = unstored(make, used.grant);
      await store.authorizationCodes.redeem(used.code.id, tokens, start);
      for (const { grant } of [unredeemed, used]) await store.grants.revoke(grant.id, start);
      const first = unstored(make, unredeemed.grant);
      assert.ok(!(await store.authorizationCodes.redeem(unredeemed.code.id, first, start)));
      const next = unstored(make, used.grant);
      assert.ok(!(await store.refreshTokens.rotate(tokens.refreshToken.id, next, 'sealed', start)));
    }),
  );

  it(
    'is revoked once in a transaction',
    withStore(openStore, async (store) => {
      const { id, clientRecordId, expires } = unstored(grantFactory()).accessToken;
      const revocation = { id, clientRecordId, expires, revokedAt: start };
      const revoke = () => store.transact(({ issuedTokens }) => issuedTokens.revokeJwt(revocation));
      assert.ok(await revoke());
      assert.ok(!(await revoke()));
      assert.deepEqual(await store.revocations.findToken(id), { at: undefined });
    }),
  );
}

interface Unstored extends TokenPair {
  readonly grant: Grant;
  readonly accessToken: AccessToken;
}

/** The access token expires after an hour, the refresh token after two. */
function unstored(
  make: ReturnType<typeof grantFactory>,
  grant = make.grant(),
  creationDate = grant.creationDate,
): Unstored {
  const { accessToken, refreshToken } = make.tokens(grant, creationDate);
  return { grant, refreshToken, accessToken: { ...accessToken, verifierHash: undefined } };
}

/** The grants are active until that time, and no access token has a row. */
async function assertUntil(store: StoreUnderTest, grants: readonly Grant[], end: number): Promise<void> {
  const ids = grants.map(({ id }) => id).toSorted();
  const active = async (now: number) =>
    (await listed(store, emma, now)).filter((id) => ids.includes(id)).toSorted();
  assert.deepEqual(await active(end - 1), ids);
  assert.deepEqual(await active(end), []);
  assert.deepEqual(await store.accessTokens.list({ limit: 9 }), []);
}
