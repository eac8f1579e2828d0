import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type FoundAuthorizationCode, maxCodeFailures } from '@watchword/protocol';
import { buildAuthenticationEvent } from '../../builders/authentication.ts';
import { grantFactory } from '../../builders/grant.ts';
import { buildResourceOwner } from '../../builders/resource-owner.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';
import { areFound, coded, emma, listed, plain, redeemed, start } from './granted.ts';

export function authorizationCodeRules(openStore: OpenStore): void {
  it(
    'finds a code as it was inserted',
    withStore(openStore, async ({ authorizationCodes }) => {
      const make = grantFactory();
      const grant = make.grant({ clientRecordId: 7 });
      const codes = [
        make.code(grant, { redirectUri: 'https://app.example/cb?x=%20&ü', codeChallenge: 'c'.repeat(43) }),
        make.code(make.grant(), { nonce: 'nönce \'"', dpopJkt: 'k'.repeat(43) }),
        make.code(make.grant(), { redirectUri: undefined, codeChallenge: undefined, scopes: [] }),
        make.code(make.grant(), { verifierHash: Uint8Array.from({ length: 32 }, (_, i) => 0xe0 + i) }),
      ];
      for (const code of codes) {
        await authorizationCodes.insert(code, make.grant({ id: code.grantId }));
        assert.deepEqual(bare(await authorizationCodes.find(code.id)), [plain(code), false]);
      }
      assert.equal(await authorizationCodes.find(make.code(grant).id), undefined);
    }),
  );

  it(
    'finds a code and a refresh token with their grant, its owner and its authentication',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      for (const identityProvider of ['password', 'https://idp.example!https://behind.example']) {
        const owner = buildResourceOwner('Émma', identityProvider);
        const authentication = buildAuthenticationEvent({
          acr: 'urn:example:strong',
          claims: { email: 'émma@example.org', email_verified: true, address: { country: 'NL' } },
          identityProvider,
        });
        const claims = { userinfo: { name: null }, id_token: { acr: { essential: true, values: ['ä'] } } };
        const { grant, code, refreshToken } = await redeemed(store, make, { owner, authentication, claims });
        assert.deepEqual((await store.authorizationCodes.find(code.id))?.grant, grant);
        assert.deepEqual((await store.refreshTokens.find(refreshToken.id))?.grant, grant);
      }
    }),
  );

  it(
    'stores an access token with a code, of one grant that lasts as long as both',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      for (const lifetime of [3_600_000, 1000, 0]) {
        const grant = make.grant();
        const code = make.code(grant);
        const { accessToken } = make.tokens(grant);
        const token = { ...accessToken, expires: lifetime === 0 ? 0 : code.creationDate + lifetime };
        assert.ok(await store.authorizationCodes.insert(code, grant, { accessToken: token }));
        assert.deepEqual(plain(await store.accessTokens.find(token.id)), plain({ ...token, grant }));
        const last = lifetime === 0 ? Number.MAX_SAFE_INTEGER : Math.max(code.expires, token.expires);
        assert.ok((await listed(store, emma, last - 1)).includes(grant.id), `${lifetime} ms`);
        assert.ok(!(await listed(store, emma, last)).includes(grant.id) || lifetime === 0, `${lifetime} ms`);
        assert.ok(await store.authorizationCodes.redeem(code.id, make.tokens(grant), start));
        assert.ok(await store.grants.revoke(grant.id, start));
        assert.equal(await store.accessTokens.find(token.id), undefined);
      }
    }),
  );

  it(
    'stores no access token of a code that is not stored',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, code } = await coded(store, make);
      const other = make.grant();
      const { accessToken } = make.tokens(other);
      const again = { ...code, grantId: other.id };
      assert.ok(!(await store.authorizationCodes.insert(again, other, { accessToken })));
      assert.equal(await store.accessTokens.find(accessToken.id), undefined);
      assert.deepEqual(await listed(store, emma, grant.creationDate), [grant.id]);
    }),
  );

  it(
    'redeems a code once, and stores the tokens of that redemption only',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, code } = await coded(store, make);
      const [first, second] = [make.tokens(grant), make.tokens(grant)];
      assert.ok(await store.authorizationCodes.redeem(code.id, first, start));
      assert.ok(!(await store.authorizationCodes.redeem(code.id, second, start)));
      assert.deepEqual(await areFound(store, first, second), [true, true, false, false]);
      assert.deepEqual(
        plain(await store.accessTokens.find(first.accessToken.id)),
        plain({ ...first.accessToken, grant }),
      );
      const found = await store.refreshTokens.find(first.refreshToken.id);
      assert.deepEqual(plain(found?.token), plain(first.refreshToken));
    }),
  );

  it(
    'stores no refresh token when the redemption has none',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, code } = await coded(store, make);
      const issued = { ...make.tokens(grant), refreshToken: undefined };
      assert.ok(await store.authorizationCodes.redeem(code.id, issued, start));
      assert.deepEqual(await areFound(store, issued), [true]);
    }),
  );

  it(
    'finds a redeemed code as redeemed, even when its grant is revoked',
    withStore(openStore, async (store) => {
      const { grant, code } = await redeemed(store, grantFactory());
      assert.deepEqual(bare(await store.authorizationCodes.find(code.id)), [plain(code), true]);
      await store.grants.revoke(grant.id, start);
      assert.deepEqual(bare(await store.authorizationCodes.find(code.id)), [plain(code), true]);
    }),
  );

  it(
    'finds an expired code until it is purged',
    withStore(openStore, async ({ authorizationCodes }) => {
      const make = grantFactory();
      const grant = make.grant();
      const code = make.code(grant, { expires: start - 1000 });
      await authorizationCodes.insert(code, grant);
      assert.deepEqual(bare(await authorizationCodes.find(code.id)), [plain(code), false]);
    }),
  );

  it(
    'does not redeem an unknown code, and stores nothing',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant } = await redeemed(store, make);
      const issued = make.tokens(grant);
      assert.ok(!(await store.authorizationCodes.redeem(make.code(grant).id, issued, start)));
      assert.deepEqual(await areFound(store, issued), [false, false]);
    }),
  );

  it(
    'invalidates a code when its failed attempts reach the limit, and no other code',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const [tried, failed, other] = [
        await coded(store, make),
        await coded(store, make),
        await coded(store, make),
      ];
      const { authorizationCodes } = store;
      for (let failures = 1; failures <= maxCodeFailures; failures += 1) {
        if (failures < maxCodeFailures) await authorizationCodes.recordFailure(tried.code.id);
        await authorizationCodes.recordFailure(failed.code.id);
      }
      const rejected = make.tokens(failed.grant);
      assert.ok(!(await authorizationCodes.redeem(failed.code.id, rejected, start)));
      assert.deepEqual(await areFound(store, rejected), [false, false]);
      assert.deepEqual(bare(await authorizationCodes.find(failed.code.id)), [plain(failed.code), false]);
      for (const { grant, code } of [tried, other]) {
        assert.ok(await authorizationCodes.redeem(code.id, make.tokens(grant), start));
      }
    }),
  );

  it(
    'ignores a failed attempt for an unknown code',
    withStore(openStore, async ({ authorizationCodes }) => {
      const make = grantFactory();
      await authorizationCodes.recordFailure(make.code(make.grant()).id);
    }),
  );
}

function bare(found: FoundAuthorizationCode | undefined) {
  return [plain(found?.code), found?.isRedeemed];
}
