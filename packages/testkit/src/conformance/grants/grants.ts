import assert from 'node:assert/strict';
import { it } from 'node:test';
import { tokenFactory } from '../../builders/access-token.ts';
import { grantFactory } from '../../builders/grant.ts';
import { buildPrincipal, buildResourceOwner, buildSubject } from '../../builders/resource-owner.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';
import { areFound, coded, emma, implicit, listed, plain, redeemed, start } from './granted.ts';

const app = 'https://app.example/cb';
/** Had the name before. */
const formerHolder = { ...buildResourceOwner(), subject: 'former holder' };

export function grantRules(openStore: OpenStore): void {
  it(
    'returns every field of a grant with its token',
    withStore(openStore, async (store) => {
      const principal = buildPrincipal({
        name: 'Émma "x" \u0001',
        roles: ['a', ''],
        groups: ['ü'],
        adminPrincipal: true,
        attributes: { ['__proto__']: 'x', 'a b': "it's; --" },
      });
      const owner = { identityProvider: 'https://idp.example/ä', subject: 'sübject', principal };
      const claims = { userinfo: { email: { essential: true } } };
      const grant = grantFactory().grant({ owner, clientRecordId: 7, scopes: ['b', 'a'], claims });
      const token = await implicit(store, grant);
      const found = await store.accessTokens.find(token.id);
      assert.deepEqual(plain(found), plain({ ...token, grant }));
      assert.deepEqual((await store.accessTokens.list({ limit: 9 })).map(plain), [plain(found)]);
      assert.deepEqual(await store.grants.listBySubject(owner.subject, 0), [
        { grant, lastUsed: grant.creationDate },
      ]);
    }),
  );

  it(
    'stores a grant without a code or token, which is expired and can be revoked',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const grant = make.grant();
      assert.ok(await store.grants.insert(grant, undefined));
      assert.deepEqual(await listed(store, emma), []);
      const answer = { id: make.code(make.grant()).id, expires: start + 1000 };
      assert.ok(await store.grants.insert(make.grant(), undefined, { answer }));
      assert.ok(!(await store.grants.insert(make.grant(), undefined, { answer })));
      assert.ok(await store.grants.revoke(grant.id, start));
    }),
  );

  it(
    'keeps a token without a grant apart from all grants',
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
    'does not insert a token of a grant without the grant',
    withStore(openStore, async (store) => {
      const { grant } = await redeemed(store, grantFactory());
      const token = tokenFactory()({ grantId: grant.id });
      await assert.rejects(store.accessTokens.insert(token));
      assert.equal(await store.accessTokens.find(token.id), undefined);
    }),
  );

  it(
    'revokes everything under a grant with it, and no other grant',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const [revoked, active] = [await redeemed(store, make), await redeemed(store, make)];
      const unredeemed = await coded(store, make);
      for (const { grant } of [revoked, unredeemed]) {
        assert.ok(await store.grants.revoke(grant.id, start));
      }
      assert.deepEqual(await areFound(store, revoked, active), [false, false, true, true]);
      const issued = make.tokens(unredeemed.grant);
      assert.ok(!(await store.authorizationCodes.redeem(unredeemed.code.id, issued, start)));
      assert.deepEqual(await areFound(store, issued), [false, false]);
      assert.deepEqual(await listed(store, emma), [active.grant.id]);
      assert.deepEqual(
        (await store.accessTokens.list({ limit: 9 })).map(({ id }) => id),
        [active.accessToken.id],
      );
    }),
  );

  it(
    'returns false when an unknown or revoked grant is revoked',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant } = await redeemed(store, make);
      assert.ok(!(await store.grants.revoke(make.grant().id, start)));
      assert.ok(await store.grants.revoke(grant.id, start));
      assert.ok(!(await store.grants.revoke(grant.id, start)));
    }),
  );

  it(
    'fills a page of tokens to its limit, also with tokens of revoked grants between',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const active: string[] = [];
      for (let creationDate = start; creationDate < start + 6; creationDate += 1) {
        const { grant, accessToken } = await redeemed(store, make, { creationDate });
        if (creationDate % 2 === 0) await store.grants.revoke(grant.id, start);
        else active.push(accessToken.id);
      }
      const page = await store.accessTokens.list({ limit: 2 });
      assert.deepEqual(
        page.map(({ id }) => id),
        active.slice(0, 2),
      );
    }),
  );

  it(
    'keeps a refresh token and its successors valid when the access token is revoked',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const first = await redeemed(store, make);
      assert.ok(await store.accessTokens.revoke(first.accessToken.id));
      assert.deepEqual(await areFound(store, first), [false, true]);
      const second = make.tokens(first.grant);
      assert.ok(await store.refreshTokens.rotate(first.refreshToken.id, second, 'sealed', start));
      assert.deepEqual(await areFound(store, second), [true, true]);
    }),
  );

  it(
    "revokes the owner's grants to a client and deletes the consent at a withdrawal, and nothing else",
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const [one, two] = [await redeemed(store, make), await coded(store, make)];
      const others = [
        await redeemed(store, make, { clientRecordId: 2 }),
        await redeemed(store, make, { owner: buildResourceOwner('Emma') }),
        await redeemed(store, make, { owner: buildResourceOwner('emma', 'https://idp.example') }),
        await redeemed(store, make, { owner: formerHolder }),
      ];
      const key = { owner: emma, subject: buildSubject(emma), clientRecordId: 1, redirectUri: app };
      const kept = [
        { ...key, clientRecordId: 2 },
        { ...key, subject: 'another', owner: { ...emma, name: 'Emma' } },
        { ...key, subject: 'another', owner: { ...emma, identityProvider: 'https://idp.example' } },
        { ...key, subject: formerHolder.subject, redirectUri: `${app}3` },
      ];
      const forgotten = [key, { ...key, redirectUri: `${app}2` }];
      for (const each of [...kept, ...forgotten]) {
        await store.consents.save({ key: each, scopes: ['read'], savedAt: start }, one.grant.id);
      }

      assert.equal(await store.grants.withdraw(buildSubject(emma), [{ clientRecordId: 1 }], start), 2);
      assert.deepEqual(await areFound(store, one), [false, false]);
      assert.ok(!(await store.authorizationCodes.redeem(two.code.id, make.tokens(two.grant), start)));
      assert.ok((await areFound(store, ...others)).every(Boolean));
      for (const each of forgotten) assert.equal(await store.consents.find(each), undefined);
      for (const each of kept) assert.deepEqual((await store.consents.find(each))?.scopes, ['read']);
      assert.equal(await store.grants.withdraw(buildSubject(emma), [{ clientRecordId: 1 }], start), 0);
    }),
  );
}
