import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { IssuedTokenStore } from '@watchword/protocol';
import { tokenFactory } from '../../builders/access-token.ts';
import { grantFactory } from '../../builders/grant.ts';
import { sessionFactory } from '../../builders/login-session.ts';
import { buildResourceOwner, buildSubject } from '../../builders/resource-owner.ts';
import { type OpenStore, type StoreUnderTest, withStore } from '../store-under-test.ts';
import { plain, redeemed, start } from './granted.ts';

const emma = { identityProvider: 'password', name: 'emma' };

function within<Value>(
  store: StoreUnderTest,
  work: (issuedTokens: IssuedTokenStore) => Promise<Value>,
): Promise<Value> {
  return store.transact(({ issuedTokens }) => work(issuedTokens));
}

export function issuedTokenRules(openStore: OpenStore): void {
  it(
    'stores a token with its grant, or without one',
    withStore(openStore, async (store) => {
      const token = tokenFactory();
      const grant = grantFactory().grant();
      const granted = token({ grantId: grant.id, expires: start + 5, confirmation: { jkt: 'thumbprint' } });
      const bare = token({ scopes: ['b', 'a'] });
      await within(store, async (issued) => {
        await issued.insert(granted, grant);
        await issued.insert(bare, undefined);
        assert.deepEqual(plain(await issued.find(granted.id)), plain({ ...granted, grant }));
      });
      assert.deepEqual(plain(await store.accessTokens.find(granted.id)), plain({ ...granted, grant }));
      assert.deepEqual(plain(await store.accessTokens.find(bare.id)), plain({ ...bare, grant: undefined }));
      const [use] = await store.grants.listBySubject(buildSubject(emma), start);
      assert.deepEqual(use, { grant, lastUsed: grant.creationDate });
    }),
  );

  it(
    'stores a refresh token with its grant, which lasts as long',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const grant = make.grant();
      const token = tokenFactory()({ grantId: grant.id, expires: start + 5 });
      const refreshToken = { ...make.tokens(grant).refreshToken, expires: start + 50 };
      await within(store, (issued) => issued.insert(token, grant, refreshToken));
      const found = await store.refreshTokens.find(refreshToken.id);
      assert.deepEqual([plain(found?.token), found?.grant], [plain(refreshToken), grant]);
      assert.equal((await store.grants.listBySubject(buildSubject(emma), start + 49)).length, 1);
      assert.equal((await store.grants.listBySubject(buildSubject(emma), start + 50)).length, 0);
    }),
  );

  it(
    'does not find, change or revoke an unknown token or a token of a revoked grant',
    withStore(openStore, async (store) => {
      const { accessToken, grant } = await redeemed(store, grantFactory());
      await store.grants.revoke(grant.id, start);
      await within(store, async (issued) => {
        assert.equal(await issued.find(accessToken.id), undefined);
        const unknown = tokenFactory()().id;
        assert.ok(!(await issued.update(unknown, { scopes: [], expires: 0 })));
        assert.ok(!(await issued.revoke(unknown)));
      });
    }),
  );

  it(
    'changes scopes and expiry of one token, and of no other',
    withStore(openStore, async (store) => {
      const token = tokenFactory();
      const [one, other] = [token({ confirmation: { jkt: 'thumbprint' } }), token()];
      await store.accessTokens.insert(one);
      await store.accessTokens.insert(other);
      const change = { scopes: [], expires: start + 9 };
      assert.ok(await within(store, (issued) => issued.update(one.id, change)));
      const found = await store.accessTokens.find(one.id);
      assert.deepEqual(plain(found), plain({ ...one, ...change, grant: undefined }));
      assert.deepEqual(plain(await store.accessTokens.find(other.id)), plain({ ...other, grant: undefined }));
    }),
  );

  for (const [what, expires, isKept] of [
    ['later', start + 900_000, true],
    ['never', 0, true],
    ['earlier', start + 1, false],
  ] as const) {
    it(
      `${isKept ? 'extends a grant' : 'does not shorten a grant'} when its token is changed to expire ${what}`,
      withStore(openStore, async (store) => {
        const grant = grantFactory().grant();
        const token = tokenFactory()({ grantId: grant.id, expires: start + 1000 });
        await store.grants.insert(grant, token);
        await within(store, (issued) => issued.update(token.id, { scopes: ['read'], expires }));
        const isListed = async (now: number) =>
          (await store.grants.listBySubject(buildSubject(emma), now)).length === 1;
        assert.ok(await isListed(start + 999));
        assert.equal(await isListed(start + 800_000), isKept);
      }),
    );
  }

  it(
    'revokes a grant with its last token',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const alone = make.grant();
      const token = tokenFactory()({ grantId: alone.id });
      await store.grants.insert(alone, token);
      const shared = await redeemed(store, make);
      await within(store, async (issued) => {
        assert.ok(await issued.revoke(token.id));
        assert.ok(!(await issued.revoke(token.id)));
        await issued.revoke(shared.accessToken.id);
      });
      const left = await store.grants.listBySubject(buildSubject(emma), start);
      assert.deepEqual(
        left.map(({ grant }) => grant.id),
        [shared.grant.id],
      );
      assert.notEqual(await store.refreshTokens.find(shared.refreshToken.id), undefined);
    }),
  );

  it(
    'revokes the grants of an owner with all their tokens in batches, and none of an owner with the same name elsewhere',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const own = [await redeemed(store, make), await redeemed(store, make), await redeemed(store, make)];
      const others = await Promise.all(
        [buildResourceOwner('Emma'), buildResourceOwner('emma', 'idp'), buildResourceOwner('emma ')].map(
          (owner) => redeemed(store, make, { owner }),
        ),
      );
      const revoke = () => within(store, (issued) => issued.revokeGrants(emma, start, 2));
      assert.deepEqual([await revoke(), await revoke(), await revoke()], [2, 1, 0]);
      for (const { accessToken, refreshToken } of own) {
        assert.equal(await store.accessTokens.find(accessToken.id), undefined);
        assert.equal(await store.refreshTokens.find(refreshToken.id), undefined);
      }
      for (const { accessToken } of others) {
        assert.notEqual(await store.accessTokens.find(accessToken.id), undefined);
      }
    }),
  );

  it(
    'ends the login sessions of an owner, and none of an owner with the same name elsewhere',
    withStore(openStore, async (store) => {
      const make = sessionFactory();
      const own = [make(), make()];
      const others = [
        make({ owner: buildResourceOwner('emma', 'idp') }),
        make({ owner: buildResourceOwner('EMMA') }),
      ];
      for (const session of [...own, ...others]) await store.loginSessions.insert(session);
      assert.equal(await within(store, (issued) => issued.endSessions(emma, start)), 2);
      for (const { id } of own) assert.equal(await store.loginSessions.find(id), undefined);
      for (const { id } of others) assert.notEqual(await store.loginSessions.find(id), undefined);
    }),
  );
}
