import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Grant, Identity } from '@watchword/protocol';
import { tokenFactory } from '../builders/access-token.ts';
import { grantFactory } from '../builders/grant.ts';
import { buildPrincipal, buildResourceOwner } from '../builders/resource-owner.ts';
import { alive, coded, plain, redeemed, start } from './granted.ts';
import type { OpenStore, StoreUnderTest } from './store-conformance.ts';
import { withStore } from './with-store.ts';

const emma: Identity = { authority: 'password', name: 'emma' };
const app = 'https://app.example/cb';

async function implicit(store: StoreUnderTest, grant: Grant, expires = start + 1000) {
  const make = tokenFactory(grant.id);
  const { id: grantId, clientRecordId, creationDate } = grant;
  const token = make({ grantId, clientRecordId, creationDate, expires });
  await store.grants.insert(grant, token);
  return token;
}

async function listed(store: StoreUnderTest, owner: Identity, now = start): Promise<string[]> {
  return (await store.grants.listByOwner(owner, now)).map(({ grant }) => grant.id);
}

export function grantRules(openStore: OpenStore): void {
  it(
    'a grant comes back with its token, every field of it',
    withStore(openStore, async (store) => {
      const principal = buildPrincipal({
        name: 'Émma "x" \u0000',
        roles: ['a', ''],
        groups: ['ü'],
        adminPrincipal: true,
        attributes: { ['__proto__']: 'x', 'a b': "it's; --" },
      });
      const owner = { authority: 'https://idp.example/ä', principal };
      const grant = grantFactory().grant({ owner, clientRecordId: 7, scopes: ['b', 'a'] });
      const token = await implicit(store, grant);
      const found = await store.accessTokens.find(token.id);
      assert.deepEqual(plain(found), plain({ ...token, grant }));
      assert.deepEqual((await store.accessTokens.list({ limit: 9 })).map(plain), [plain(found)]);
      assert.deepEqual(
        await store.grants.listByOwner({ authority: owner.authority, name: principal.name }, 0),
        [{ grant, lastUsed: grant.creationDate }],
      );
    }),
  );

  it(
    'a token that nobody granted has no grant, and is not touched by any',
    withStore(openStore, async (store) => {
      const token = tokenFactory()();
      await store.accessTokens.insert(token);
      const { grant } = await redeemed(store, grantFactory());
      await store.grants.revoke(grant.id, start);
      assert.equal((await store.accessTokens.find(token.id))?.grant, undefined);
      assert.deepEqual(
        (await store.accessTokens.list({ limit: 9 })).map(({ id }) => id),
        [token.id],
      );
    }),
  );

  it(
    'a token under a grant is not inserted by itself',
    withStore(openStore, async (store) => {
      const { grant } = await redeemed(store, grantFactory());
      const token = tokenFactory()({ grantId: grant.id });
      await assert.rejects(store.accessTokens.insert(token));
      assert.equal(await store.accessTokens.find(token.id), undefined);
    }),
  );

  it(
    'a revoked grant takes everything under it along, and no other grant',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const [dead, living] = [await redeemed(store, make), await redeemed(store, make)];
      const unredeemed = await coded(store, make);
      for (const { grant } of [dead, unredeemed]) {
        assert.equal(await store.grants.revoke(grant.id, start), true);
      }
      assert.deepEqual(await alive(store, dead, living), [false, false, true, true]);
      const issued = make.tokens(unredeemed.grant);
      assert.equal(await store.authorizationCodes.redeem(unredeemed.code.id, issued, start), false);
      assert.deepEqual(await alive(store, issued), [false, false]);
      assert.deepEqual(await listed(store, emma), [living.grant.id]);
      assert.deepEqual(
        (await store.accessTokens.list({ limit: 9 })).map(({ id }) => id),
        [living.accessToken.id],
      );
    }),
  );

  it(
    'revoking an unknown grant, or one twice, is false and no error',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant } = await redeemed(store, make);
      assert.equal(await store.grants.revoke(make.grant().id, start), false);
      assert.equal(await store.grants.revoke(grant.id, start), true);
      assert.equal(await store.grants.revoke(grant.id, start), false);
    }),
  );

  it(
    "a page of tokens is as long as it may be, whatever revoked grants' tokens lie between",
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const living: string[] = [];
      for (let creationDate = start; creationDate < start + 6; creationDate += 1) {
        const { grant, accessToken } = await redeemed(store, make, { creationDate });
        if (creationDate % 2 === 0) await store.grants.revoke(grant.id, start);
        else living.push(accessToken.id);
      }
      const page = await store.accessTokens.list({ limit: 2 });
      assert.deepEqual(
        page.map(({ id }) => id),
        living.slice(0, 2),
      );
    }),
  );

  it(
    'an owner sees own grants only, newest first',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const names = ['emma', 'Emma', 'emma ', ' emma', 'ｅmma', 'émma', 'e\u0301mma', 'emma\u0000'];
      const owners = [
        ...names.map((name) => buildResourceOwner(name)),
        buildResourceOwner('emma', 'https://idp.example'),
        buildResourceOwner('emma', 'Password'),
      ];
      for (const owner of owners) {
        const older = await redeemed(store, make, { owner, creationDate: start });
        const newer = await redeemed(store, make, { owner, creationDate: start + 1 });
        const { authority, principal } = owner;
        const ids = await listed(store, { authority, name: principal.name });
        assert.deepEqual(ids, [newer.grant.id, older.grant.id], JSON.stringify(principal.name));
      }
    }),
  );

  it(
    'a grant is listed while something under it may be alive',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, code } = await coded(store, make);
      const isListed = async (now: number) => (await listed(store, emma, now)).includes(grant.id);
      assert.equal(await isListed(code.expires - 1), true);
      assert.equal(await isListed(code.expires), false);
      const first = make.tokens(grant);
      await store.authorizationCodes.redeem(code.id, first, start);
      const ends = first.refreshToken.expires;
      assert.equal(await isListed(ends - 1), true);
      assert.equal(await isListed(ends), false);
      const second = make.tokens(grant, start + 1000);
      await store.refreshTokens.rotate(first.refreshToken.id, second, 'sealed', start + 1000);
      assert.equal(await isListed(ends), true);
      assert.equal(await isListed(second.refreshToken.expires), false);
    }),
  );

  it(
    'a grant that was stored with its token is listed until that expires',
    withStore(openStore, async (store) => {
      const grant = grantFactory().grant();
      const { expires } = await implicit(store, grant);
      assert.deepEqual(await listed(store, emma, expires - 1), [grant.id]);
      assert.deepEqual(await listed(store, emma, expires), []);
    }),
  );

  it(
    'a grant is listed as long as its access token lives, which outlives the refresh token or never ends',
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
    'a grant without expiry is listed until its last token is given back',
    withStore(openStore, async (store) => {
      const token = await implicit(store, grantFactory().grant(), 0);
      assert.equal((await listed(store, emma, Number.MAX_SAFE_INTEGER)).length, 1);
      assert.equal(await store.accessTokens.revoke(token.id), true);
      assert.deepEqual(await listed(store, emma), []);
    }),
  );

  it(
    'an access token that is given back leaves the refresh token alive, and the tokens that come of it',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const first = await redeemed(store, make);
      assert.equal(await store.accessTokens.revoke(first.accessToken.id), true);
      assert.deepEqual(await alive(store, first), [false, true]);
      const second = make.tokens(first.grant);
      assert.equal(await store.refreshTokens.rotate(first.refreshToken.id, second, 'sealed', start), true);
      assert.deepEqual(await alive(store, second), [true, true]);
    }),
  );

  it(
    'a grant says when a token was last issued under it',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, code } = await coded(store, make);
      const lastUsed = async () => (await store.grants.listByOwner(emma, start))[0]?.lastUsed;
      assert.equal(await lastUsed(), start);
      const first = make.tokens(grant);
      await store.authorizationCodes.redeem(code.id, first, start + 5);
      assert.equal(await lastUsed(), start + 5);
      await store.refreshTokens.rotate(first.refreshToken.id, make.tokens(grant), 'sealed', start + 9);
      assert.equal(await lastUsed(), start + 9);
    }),
  );

  it(
    'at most 1000 grants are listed, the newest',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const grants = Array.from({ length: 1001 }, (_, index) => make.grant({ creationDate: start + index }));
      await Promise.all(grants.map((grant) => implicit(store, grant, 0)));
      const newestFirst = grants.map(({ id }) => id).toReversed();
      assert.deepEqual(await listed(store, emma), newestFirst.slice(0, 1000));
    }),
  );

  it(
    "withdrawing kills the owner's grants to that client and forgets the consent, and nothing else",
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const [one, two] = [await redeemed(store, make), await coded(store, make)];
      const others = [
        await redeemed(store, make, { clientRecordId: 2 }),
        await redeemed(store, make, { owner: buildResourceOwner('Emma') }),
        await redeemed(store, make, { owner: buildResourceOwner('emma', 'https://idp.example') }),
      ];
      const key = { owner: emma, clientRecordId: 1, redirectUri: app };
      const kept = [
        { ...key, clientRecordId: 2 },
        { ...key, owner: { ...emma, name: 'Emma' } },
        { ...key, owner: { ...emma, authority: 'https://idp.example' } },
      ];
      const forgotten = [key, { ...key, redirectUri: `${app}2` }];
      for (const each of [...kept, ...forgotten]) await store.consents.save(each, ['read'], start);

      assert.equal(await store.grants.withdraw(emma, 1, start), 2);
      assert.deepEqual(await alive(store, one), [false, false]);
      assert.equal(await store.authorizationCodes.redeem(two.code.id, make.tokens(two.grant), start), false);
      assert.ok((await alive(store, ...others)).every(Boolean));
      for (const each of forgotten) assert.deepEqual(await store.consents.find(each), []);
      for (const each of kept) assert.deepEqual(await store.consents.find(each), ['read']);
      assert.equal(await store.grants.withdraw(emma, 1, start), 0);
    }),
  );
}
