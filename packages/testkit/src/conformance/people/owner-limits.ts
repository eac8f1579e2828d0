import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addClient, addResourceServer } from '../../registered.ts';
import { times } from '../rounds.ts';
import { type OpenStore, type StoreUnderTest, withStore } from '../store-under-test.ts';

const emma = { identityProvider: 'password', name: 'emma' };
const minute = 60_000;

export function ownerLimitRules(openStore: OpenStore): void {
  const count = (store: StoreUnderTest, owner: typeof emma, now: number) =>
    store.transact(({ ownerChanges }) => ownerChanges.count(owner, now, minute));

  it(
    'counts changes from the first one, and starts again after the duration',
    withStore(openStore, async (store) => {
      assert.deepEqual(await count(store, emma, 1000), { changes: 1, since: 1000 });
      assert.deepEqual(await count(store, emma, 1000), { changes: 2, since: 1000 });
      assert.deepEqual(await count(store, emma, 60_999), { changes: 3, since: 1000 });
      assert.deepEqual(await count(store, emma, 61_000), { changes: 1, since: 61_000 });
    }),
  );

  it(
    'counts changes for each owner, by identity provider and name',
    withStore(openStore, async (store) => {
      await count(store, emma, 5);
      for (const other of [
        { ...emma, name: 'Emma' },
        { ...emma, identityProvider: 'idp' },
      ]) {
        assert.deepEqual(await count(store, other, 5), { changes: 1, since: 5 });
      }
      assert.equal((await count(store, emma, 5)).changes, 2);
    }),
  );

  it(
    'starts a new count when the clock was set back',
    withStore(openStore, async (store) => {
      await count(store, emma, 7_200_000);
      assert.deepEqual(await count(store, emma, 5), { changes: 1, since: 5 });
    }),
  );

  it(
    'continues a count that began later by the clock of another node',
    withStore(openStore, async (store) => {
      await count(store, emma, 5000);
      assert.deepEqual(await count(store, emma, 3000), { changes: 2, since: 5000 });
    }),
  );

  it(
    'does not count a failed change',
    withStore(openStore, async (store) => {
      await count(store, emma, 5);
      const failed = store.transact(async ({ ownerChanges }) => {
        await ownerChanges.count(emma, 6, minute);
        throw new Error('no');
      });
      await assert.rejects(failed, /^Error: no$/);
      assert.equal((await count(store, emma, 7)).changes, 2);
    }),
  );

  it(
    'counts all concurrent changes',
    withStore(openStore, async (store) => {
      const counts = await Promise.all(times(20, () => count(store, emma, 5)));
      assert.deepEqual(
        counts.map(({ changes }) => changes).toSorted((a, b) => a - b),
        times(20, (index) => index + 1),
      );
    }),
  );

  it(
    'counts the resource servers of an owner with their clients, without deleted ones',
    withStore(openStore, async (store) => {
      const owned = { owner: emma.name, ownerAuthority: emma.identityProvider };
      const records = (most = 100) => store.resourceServers.countRecords(emma, most);
      assert.equal(await records(), 0);
      const [one, two] = [
        await addResourceServer(store, 'one', owned),
        await addResourceServer(store, 'two', owned),
      ];
      const other = await addResourceServer(store, 'other', { ...owned, ownerAuthority: 'idp' });
      await addClient(store, 'a', one);
      await addClient(store, 'b', one);
      const { id } = await addClient(store, 'c', two);
      await addClient(store, 'd', other);
      assert.deepEqual([await records(), await records(5), await records(4), await records(1)], [5, 5, 4, 1]);
      await store.clients.delete(id);
      assert.equal(await records(), 4);
      await store.resourceServers.delete(one.id);
      assert.equal(await records(), 1);
    }),
  );

  it(
    'counts a record in the transaction that creates it',
    withStore(openStore, async (store) => {
      const owned = { owner: emma.name, ownerAuthority: emma.identityProvider };
      const seen = await store.transact(async ({ resourceServers }) => {
        await addResourceServer({ resourceServers }, 'one', owned);
        return resourceServers.countRecords(emma, 9);
      });
      assert.equal(seen, 1);
    }),
  );
}
