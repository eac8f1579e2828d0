import assert from 'node:assert/strict';
import { it } from 'node:test';
import { tokenFactory } from '../../builders/access-token.ts';
import { grantFactory } from '../../builders/grant.ts';
import { buildResourceOwner } from '../../builders/resource-owner.ts';
import { addClient, addResourceServer } from '../../registered.ts';
import { redeemed, start } from '../grants/granted.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';

const client = { id: 1, tokensValidFrom: 0 };

export function statisticsRules(openStore: OpenStore): void {
  it(
    'counts the valid tokens and the resource owners of a client, among the newest',
    withStore(openStore, async (store) => {
      const { accessTokens, statistics } = store;
      const token = tokenFactory();
      const now = start + 100;
      for (const expires of [0, now, now + 1])
        await accessTokens.insert(token({ expires, creationDate: start }));
      await accessTokens.insert(token({ clientRecordId: 2 }));
      const make = grantFactory();
      await redeemed(store, make);
      await redeemed(store, make);
      await redeemed(store, make, { owner: buildResourceOwner('emma', 'idp') });
      await redeemed(store, make, { owner: buildResourceOwner('finn'), clientRecordId: 2 });
      const revoked = await redeemed(store, make, { owner: buildResourceOwner('gina') });
      await store.grants.revoke(revoked.grant.id, now);
      const { resourceOwners } = await statistics.countOf(client, now, 100);
      assert.equal(resourceOwners, 2);
      await store.transact(({ issuedTokens }) => issuedTokens.revoke(revoked.accessToken.id));
      const { read, ...counted } = await statistics.countOf(client, now, 100);
      assert.deepEqual(counted, { tokens: 5, resourceOwners: 2 });
      assert.ok(read >= 6 + 3, `${read}`);
      assert.deepEqual(await statistics.countOf({ id: 9, tokensValidFrom: 0 }, now, 100), {
        tokens: 0,
        resourceOwners: 0,
        read: 0,
      });
    }),
  );

  it(
    'knows who gave clients what by valid grants, of many clients at once',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const give = (clientRecordId: number, name: string, scopes: string[]) =>
        redeemed(store, make, { owner: buildResourceOwner(name), clientRecordId, scopes });
      await give(1, 'emma', ['read']);
      await give(1, 'emma', ['read', 'write']);
      await give(1, 'finn', ['read']);
      await give(2, 'emma', ['2\\tools']);
      const { grant } = await give(3, 'gina', ['read']);
      await store.grants.revoke(grant.id, start);
      const clients = Array.from({ length: 250 }, (_, index) => ({ id: index + 1, tokensValidFrom: 0 }));
      const access = await store.statistics.accessTo(clients, start, 100);
      const sorted = access
        .map((each) => ({ ...each, scopes: each.scopes.map((scopes) => scopes.join(' ')).toSorted() }))
        .toSorted((a, b) => a.clientRecordId - b.clientRecordId);
      assert.deepEqual(sorted, [
        { clientRecordId: 1, resourceOwners: 2, scopes: ['read', 'read write'] },
        { clientRecordId: 2, resourceOwners: 1, scopes: ['2\\tools'] },
      ]);
      assert.deepEqual(await store.statistics.accessTo([], start, 100), []);
      const later = [{ id: 1, tokensValidFrom: start + 3_600_000 }];
      assert.deepEqual(await store.statistics.accessTo(later, start, 100), [], 'revoked with the client');
    }),
  );

  it(
    'reads only the newest tokens, valid or not',
    withStore(openStore, async ({ accessTokens, statistics }) => {
      const token = tokenFactory();
      for (const [age, expires] of [0, 0, start, 0].entries()) {
        await accessTokens.insert(token({ creationDate: start - age, expires }));
      }
      const counted = async (limit: number) => (await statistics.countOf(client, start + 1, limit)).tokens;
      assert.deepEqual(
        [await counted(1), await counted(2), await counted(3), await counted(4)],
        [1, 2, 2, 3],
      );
    }),
  );

  it(
    'does not count tokens from before the revocation of the tokens of the client',
    withStore(openStore, async (store) => {
      const token = tokenFactory();
      for (const creationDate of [start, start + 1, start + 2]) {
        await store.accessTokens.insert(token({ creationDate }));
      }
      await redeemed(store, grantFactory(), { creationDate: start });
      const counted = await store.statistics.countOf(
        { ...client, tokensValidFrom: start + 1 },
        start + 5,
        100,
      );
      assert.deepEqual(counted, { tokens: 1, resourceOwners: 0, read: 1 });
    }),
  );

  it(
    'reads one state in a snapshot: everything stored before it and nothing stored during it',
    withStore(openStore, async (store) => {
      const server = await addResourceServer(store);
      const { id } = await addClient(store, 'before', server);
      const token = tokenFactory();
      await store.accessTokens.insert(token({ clientRecordId: id }));
      const counted = { id, tokensValidFrom: 0 };
      const seen = await store.readSnapshot(async ({ clients, statistics }) => {
        const read = async () => [
          (await clients.list({ limit: 9 })).map(({ clientId }) => clientId),
          (await statistics.countOf(counted, start, 9)).tokens,
          (await statistics.issued({ from: 5, until: 6 })).length,
        ];
        const first = await read();
        await addClient(store, 'meanwhile', server);
        await store.accessTokens.insert(token({ clientRecordId: id }));
        await store.statistics.addIssued([{ hour: 5, clientRecordId: id, grantType: 'code', tokens: 1 }]);
        return [first, await read()];
      });
      assert.deepEqual(seen, [
        [['before'], 1, 0],
        [['before'], 1, 0],
      ]);
      assert.equal((await store.statistics.countOf(counted, start, 9)).tokens, 2);
      assert.equal((await store.clients.list({ limit: 9 })).length, 2);
    }),
  );

  it(
    'adds up issued tokens by hour and grant type, of all owners or of one',
    withStore(openStore, async (store) => {
      const { statistics } = store;
      const own = await addResourceServer(store, 'own', { owner: 'emma', ownerAuthority: 'password' });
      const other = await addResourceServer(store, 'other', { owner: 'emma', ownerAuthority: 'idp' });
      const a = await addClient(store, 'a', own);
      const b = await addClient(store, 'b', other);
      const count = (hour: number, clientRecordId: number, grantType: string, tokens: number) => ({
        hour,
        clientRecordId,
        grantType,
        tokens,
      });
      await statistics.addIssued([]);
      await statistics.addIssued([count(5, a.id, 'implicit', 2), count(5, b.id, 'implicit', 3)]);
      await statistics.addIssued([
        count(5, a.id, 'implicit', 10),
        count(6, a.id, 'code', 1),
        count(7, a.id, 'code', 1),
      ]);
      const sums = async (from: number, until: number, owner?: { identityProvider: string; name: string }) =>
        (await statistics.issued({ from, until, ...(owner && { owner }) })).map(
          ({ hour, grantType, tokens }) => `${hour} ${grantType} ${tokens}`,
        );
      assert.deepEqual(await sums(5, 7), ['5 implicit 15', '6 code 1']);
      assert.deepEqual(await sums(6, 8), ['6 code 1', '7 code 1']);
      assert.deepEqual(await sums(8, 9), []);
      assert.deepEqual(await sums(5, 7, { identityProvider: 'password', name: 'emma' }), [
        '5 implicit 12',
        '6 code 1',
      ]);
      assert.deepEqual(await sums(5, 7, { identityProvider: 'idp', name: 'emma' }), ['5 implicit 3']);
      assert.deepEqual(await sums(5, 7, { identityProvider: 'idp', name: 'Emma' }), []);
      const many = Array.from({ length: 500 }, (_, index) => count(9, index, 'x', 1));
      await statistics.addIssued(many);
      await statistics.addIssued(many);
      assert.deepEqual(await sums(9, 10), ['9 x 1000']);
    }),
  );

  it(
    'adds up the tokens issued to each client, with the last hour in which one was issued',
    withStore(openStore, async ({ statistics }) => {
      const count = (hour: number, clientRecordId: number, tokens: number, grantType = 'code') => ({
        hour,
        clientRecordId,
        grantType,
        tokens,
      });
      await statistics.addIssued([
        count(5, 1, 2),
        count(5, 1, 3, 'implicit'),
        count(5, 2, 1),
        count(6, 3, 9),
      ]);
      await statistics.addIssued([count(5, 1, 1), count(7, 1, 4)]);
      const sums = async (ids: number[], from: number, until: number) =>
        (await statistics.issuedTo(ids, { from, until }))
          .toSorted((a, b) => a.clientRecordId - b.clientRecordId)
          .map(({ clientRecordId, tokens, lastHour }) => [clientRecordId, tokens, lastHour]);
      assert.deepEqual(await sums([1, 2, 4], 5, 8), [
        [1, 10, 7],
        [2, 1, 5],
      ]);
      assert.deepEqual(await sums([1, 2], 6, 8), [
        [1, 4, 7],
        [2, 0, 5],
      ]);
      assert.deepEqual(await sums([1], 0, 6), [[1, 6, 5]]);
      assert.deepEqual(await sums([], 0, 9), []);
    }),
  );

  it(
    'finds the busiest clients of a range of hours, also of more than a hundred',
    withStore(openStore, async ({ statistics }) => {
      const counts = [2, 3, 1].flatMap((tokens, index) =>
        Array.from({ length: 150 }, (_, hour) => ({
          hour,
          clientRecordId: index + 1,
          grantType: 'code',
          tokens,
        })),
      );
      await statistics.addIssued([
        ...counts,
        { hour: 500, clientRecordId: 4, grantType: 'code', tokens: 1000 },
      ]);
      const busiest = async (from: number, until: number, limit: number) =>
        (await statistics.busiest({ from, until }, limit)).map((use) => [use.clientRecordId, use.tokens]);
      assert.deepEqual(await busiest(0, 150, 2), [
        [2, 450],
        [1, 300],
      ]);
      assert.deepEqual(await busiest(149, 501, 9), [
        [4, 1000],
        [2, 3],
        [1, 2],
        [3, 1],
      ]);
      assert.deepEqual(await busiest(600, 601, 9), []);
    }),
  );

  it(
    'knows when the secrets of a client were last used, noted in any order',
    withStore(openStore, async ({ statistics }) => {
      const use = (clientRecordId: number, secretId: number, lastUsed: number) => ({
        ...{ clientRecordId, secretId, lastUsed },
      });
      await statistics.noteSecretUses([]);
      await statistics.noteSecretUses([use(1, 2, start), use(1, 1, start), use(2, 1, start)]);
      await statistics.noteSecretUses([use(1, 2, start - 1), use(1, 1, start + 1)]);
      const known = [...(await statistics.secretUses(1))].toSorted(([a], [b]) => a - b);
      assert.deepEqual(known, [
        [1, start + 1],
        [2, start],
      ]);
      assert.deepEqual([...(await statistics.secretUses(3))], []);
    }),
  );
}
