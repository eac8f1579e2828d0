import assert from 'node:assert/strict';
import { it } from 'node:test';
import { changeDelay, type RevokedToken } from '@watchword/protocol';
import { grantFactory } from '../../builders/grant.ts';
import { buildResourceOwner } from '../../builders/resource-owner.ts';
import { selectorFactory } from '../../builders/selector.ts';
import { addClient, addResourceServer } from '../../registered.ts';
import { type OpenStore, type StoreUnderTest, withStore } from '../store-under-test.ts';
import { coded, emma, redeemed, start } from './granted.ts';

const select = selectorFactory('revoked tokens');

function revokedToken(parts: Partial<RevokedToken> = {}): RevokedToken {
  return { id: select(start).id, clientRecordId: 1, expires: start + 60_000, revokedAt: start, ...parts };
}

/** All pages from a time on, as ids. */
async function idsFrom(
  list: StoreUnderTest['revocations']['listTokens' | 'listGrants'],
  from: number,
  limit: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let after: { revokedAt: number; id: string } | undefined; ; ) {
    const page = await list({ from, after, limit });
    ids.push(...page.map(({ id }) => id));
    after = page.at(-1);
    if (after === undefined) return ids;
  }
}

/** The rules for revocations that resource servers have to know. */
export function revocationRules(openStore: OpenStore): void {
  it(
    'revokes a token once, for one of many callers at the same time',
    withStore(openStore, async ({ revocations }) => {
      const token = revokedToken();
      assert.equal(await revocations.findToken(token.id), undefined);
      const revoked = await Promise.all(Array.from({ length: 8 }, () => revocations.revokeToken(token)));
      assert.equal(revoked.filter(Boolean).length, 1);
      assert.deepEqual(await revocations.findToken(token.id), { at: undefined });
      assert.equal(await revocations.findToken(revokedToken().id), undefined);
      assert.deepEqual(await revocations.listTokens({ from: start, limit: 10 }), [token]);
    }),
  );

  it(
    'ends a token at one resource server after the other, and at all for good',
    withStore(openStore, async ({ revocations, transact }) => {
      const token = revokedToken();
      const end = (at: readonly number[], revokedAt: number) =>
        transact(({ issuedTokens }) => issuedTokens.revokeJwt({ ...token, at, revokedAt }));
      const listed = async () => (await revocations.listTokens({ from: start, limit: 10 })) as unknown;
      assert.ok(await end([5], start));
      assert.ok(!(await end([5], start + 1)));
      assert.deepEqual(await revocations.findToken(token.id), { at: [5] });
      assert.ok(await end([5, 12], start + 2));
      assert.deepEqual(await revocations.findToken(token.id), { at: [5, 12] });
      assert.deepEqual(await listed(), [{ ...token, at: [5, 12], revokedAt: start + 2 }]);
      assert.ok(await revocations.revokeToken({ ...token, revokedAt: start + 3 }));
      assert.ok(!(await end([7], start + 4)));
      assert.ok(!(await revocations.revokeToken(token)));
      assert.deepEqual(await revocations.findToken(token.id), { at: undefined });
      assert.deepEqual(await listed(), [{ ...token, revokedAt: start + 3 }]);
    }),
  );

  it(
    'lists revoked tokens from a time on, page by page, in the order of revocation and of the id',
    withStore(openStore, async ({ revocations }) => {
      const early = revokedToken({ revokedAt: start - 1 });
      const tokens = [0, 0, 0, 5, 7].map((after) => revokedToken({ revokedAt: start + after }));
      for (const token of [...tokens, early].reverse()) await revocations.revokeToken(token);
      const ids = tokens
        .toSorted((a, b) => a.revokedAt - b.revokedAt || (a.id < b.id ? -1 : 1))
        .map(({ id }) => id);
      for (const limit of [1, 2, 100])
        assert.deepEqual(await idsFrom(revocations.listTokens, start, limit), ids);
    }),
  );

  it(
    'lists every grant that was revoked, in whichever way, and no other grant',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const finn = buildResourceOwner('finn');
      await coded(store, make, { clientRecordId: 9 });
      const single = await redeemed(store, make);
      const withdrawn = await redeemed(store, make, { clientRecordId: 2 });
      const ended = await redeemed(store, make, { owner: finn });
      const { id, clientRecordId, owner, creationDate } = ended.grant;
      await store.grants.revoke(single.grant.id, start + 1);
      await store.grants.withdraw(withdrawn.grant.owner.subject, [{ clientRecordId: 2 }], start + 2);
      await store.transact((stores) =>
        stores.grants.end([{ id, clientRecordId, subject: owner.subject }], start + 3),
      );
      const [first, second, third] = await store.revocations.listGrants({ from: start, limit: 10 });
      assert.equal(first?.id, single.grant.id);
      assert.equal(second?.id, withdrawn.grant.id);
      assert.deepEqual(third, {
        id,
        clientRecordId,
        creationDate,
        expires: Math.max(ended.accessToken.expires, ended.refreshToken.expires),
        revokedAt: start + 3,
      });
      const all = [single, withdrawn, ended].map(({ grant }) => grant.id);
      for (const limit of [1, 2, 100]) {
        assert.deepEqual(await idsFrom(store.revocations.listGrants, start, limit), all);
      }
      assert.deepEqual(await idsFrom(store.revocations.listGrants, start + 3, 1), [id]);
    }),
  );

  it(
    'lists the grants of a user whose identity provider was ended',
    withStore(openStore, async (store) => {
      const { grant } = await redeemed(store, grantFactory());
      await store.identityProviderUse.end(emma.identityProvider, start + 5);
      const listed = await store.revocations.listGrants({ from: start + 5, limit: 10 });
      assert.deepEqual(
        listed.map(({ id }) => id),
        [grant.id],
      );
    }),
  );

  it(
    'lists clients whose tokens were all revoked, and deleted ones with what was issued before each process had heard of it',
    withStore(openStore, async (store, clock) => {
      const now = clock.now();
      const [kept, removed] = [
        await addResourceServer(store, 'kept'),
        await addResourceServer(store, 'removed'),
      ];
      await addClient(store, 'other', kept);
      const others = [{ resourceServerId: kept.id, scopes: [] }];
      const revoked = await addClient(store, 'revoked', kept);
      const deleted = await addClient(store, 'deleted', kept);
      const below = await addClient(store, 'below', removed);
      await store.clients.update(below.id, { otherResourceServers: others });
      await store.clients.revokeTokens(revoked.id, now + 5);
      await store.clients.delete(deleted.id);
      await store.resourceServers.delete(removed.id);
      const list = async (from: number) =>
        (await store.revocations.listClients(from))
          .map(({ clientId, resourceServerId, otherResourceServerIds, revokedAt }) =>
            [clientId, resourceServerId, otherResourceServerIds, revokedAt].join(),
          )
          .toSorted();
      const ofRevoked = [revoked.clientId, kept.id, '', now + 5].join();
      const all = [
        ofRevoked,
        [deleted.clientId, kept.id, '', now + changeDelay].join(),
        [below.clientId, removed.id, kept.id, now + changeDelay].join(),
      ];
      assert.deepEqual(await list(now + 5), all.toSorted());
      assert.deepEqual(await list(now + changeDelay + 1), []);
    }),
  );
}
