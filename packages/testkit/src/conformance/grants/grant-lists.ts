import assert from 'node:assert/strict';
import { it } from 'node:test';
import { identityOf } from '@watchword/protocol';
import { grantFactory } from '../../builders/grant.ts';
import { buildResourceOwner, buildSubject } from '../../builders/resource-owner.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';
import { coded, emma, implicit, listed, redeemed, start } from './granted.ts';

/** The rules for the grants that an owner sees. */
export function grantListRules(openStore: OpenStore): void {
  it(
    'lists only the grants of the owner, newest first',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const names = ['emma', 'Emma', 'emma ', ' emma', 'ｅmma', 'émma', 'e\u0301mma', 'emma\u0001'];
      const owners = [
        ...names.map((name) => buildResourceOwner(name)),
        buildResourceOwner('emma', 'https://idp.example'),
        buildResourceOwner('emma', 'Password'),
      ];
      const formerHolder = { ...buildResourceOwner(), subject: 'former holder' };
      await redeemed(store, make, { owner: formerHolder });
      for (const owner of owners) {
        const older = await redeemed(store, make, { owner, creationDate: start });
        const newer = await redeemed(store, make, { owner, creationDate: start + 1 });
        const ids = await listed(store, identityOf(owner));
        assert.deepEqual(ids, [newer.grant.id, older.grant.id], JSON.stringify(owner.principal.name));
      }
    }),
  );

  it(
    'lists a grant while a code or token of it can be valid',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, code } = await coded(store, make);
      const isListed = async (now: number) => (await listed(store, emma, now)).includes(grant.id);
      assert.ok(await isListed(code.expires - 1));
      assert.ok(!(await isListed(code.expires)));
      const first = make.tokens(grant);
      await store.authorizationCodes.redeem(code.id, first, start);
      const ends = first.refreshToken.expires;
      assert.ok(await isListed(ends - 1));
      assert.ok(!(await isListed(ends)));
      const second = make.tokens(grant, start + 1000);
      await store.refreshTokens.rotate(first.refreshToken.id, second, 'sealed', start + 1000);
      assert.ok(await isListed(ends));
      assert.ok(!(await isListed(second.refreshToken.expires)));
    }),
  );

  it(
    'lists a grant that was stored with its token until the token expires',
    withStore(openStore, async (store) => {
      const grant = grantFactory().grant();
      const { expires } = await implicit(store, grant);
      assert.deepEqual(await listed(store, emma, expires - 1), [grant.id]);
      assert.deepEqual(await listed(store, emma, expires), []);
    }),
  );

  it(
    'lists a grant until its access token expires, after its refresh token or never',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, code } = await coded(store, make);
      const { accessToken, refreshToken } = make.tokens(grant);
      const expires = refreshToken.expires + 1000;
      const issued = { accessToken: { ...accessToken, expires }, refreshToken };
      await store.authorizationCodes.redeem(code.id, issued, start);
      assert.deepEqual(await listed(store, emma, expires - 1), [grant.id]);
      assert.deepEqual(await listed(store, emma, expires), []);
      const next = make.tokens(grant, start + 1);
      const forever = { ...next, accessToken: { ...next.accessToken, expires: 0 } };
      await store.refreshTokens.rotate(refreshToken.id, forever, 'sealed', start + 1);
      assert.deepEqual(await listed(store, emma, Number.MAX_SAFE_INTEGER), [grant.id]);
      const last = make.tokens(grant, start + 2);
      await store.refreshTokens.rotate(next.refreshToken.id, last, 'sealed', start + 2);
      assert.deepEqual(await listed(store, emma, Number.MAX_SAFE_INTEGER), [grant.id]);
    }),
  );

  it(
    'lists a grant without expiry until its last token is revoked',
    withStore(openStore, async (store) => {
      const token = await implicit(store, grantFactory().grant(), 0);
      assert.equal((await listed(store, emma, Number.MAX_SAFE_INTEGER)).length, 1);
      assert.ok(await store.accessTokens.revoke(token.id));
      assert.deepEqual(await listed(store, emma), []);
    }),
  );

  it(
    'returns when a token was last issued under a grant',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, code } = await coded(store, make);
      const lastUsed = async () => (await store.grants.listBySubject(buildSubject(emma), start))[0]?.lastUsed;
      assert.equal(await lastUsed(), start);
      const first = make.tokens(grant);
      await store.authorizationCodes.redeem(code.id, first, start + 5);
      assert.equal(await lastUsed(), start + 5);
      await store.refreshTokens.rotate(first.refreshToken.id, make.tokens(grant), 'sealed', start + 9);
      assert.equal(await lastUsed(), start + 9);
    }),
  );

  it(
    'lists at most the newest 1000 grants',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const grants = Array.from({ length: 1001 }, (_, index) => make.grant({ creationDate: start + index }));
      await Promise.all(grants.map((grant) => implicit(store, grant, 0)));
      const newestFirst = grants.map(({ id }) => id).toReversed();
      assert.deepEqual(await listed(store, emma), newestFirst.slice(0, 1000));
    }),
  );
}
