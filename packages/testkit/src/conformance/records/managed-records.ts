import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ManagedRecord } from '@watchword/protocol';
import { newClient } from '../../builders/client.ts';
import { addClient, addResourceServer } from '../../registered.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';

const applied = { name: 'b-shop', records: 2, appliedAt: 5, appliedBy: 'emma' };
const managed = { managedBy: 'shop', appliedDigest: 'first' };

export function managedRecordRules(openStore: OpenStore): void {
  it(
    'lists the records of a configuration with the digest of its last application, and no others',
    withStore(openStore, async (store) => {
      const api = await addResourceServer(store, 'api', managed);
      const byHand = await addResourceServer(store, 'by-hand');
      const one = await addClient(store, 'one', byHand, managed);
      const other = await addClient(store, 'other', api, { ...managed, managedBy: 'office' });
      await addClient(store, 'by-hand', api);
      assert.deepEqual(inWords(await store.resourceServers.listManaged()), ['api shop first']);
      assert.deepEqual(inWords(await store.clients.listManaged({ by: 'shop' })), ['one shop first']);
      assert.deepEqual(inWords(await store.clients.listManaged()), ['one shop first', 'other office first']);
      await store.clients.update(other.id, { appliedDigest: 'second' });
      await store.clients.update(one.id, { description: 'The digest stays.' });
      assert.deepEqual(inWords(await store.clients.listManaged()), ['one shop first', 'other office second']);
      assert.equal(await store.clients.countManaged(), 2);
      const since = (await store.clients.findById(one.id))?.revision ?? 0;
      await store.clients.update(other.id, { description: 'Changed.' });
      assert.deepEqual(inWords(await store.clients.listManaged({ changedAfter: since })), [
        'other office second',
      ]);
      await store.clients.update(one.id, { managedBy: '' });
      await store.resourceServers.update(api.id, { managedBy: '' });
      assert.deepEqual(await store.clients.listManaged({ by: 'shop' }), []);
      assert.deepEqual(await store.resourceServers.listManaged(), []);
    }),
  );

  it(
    'finds clients by many of their names',
    withStore(openStore, async (store) => {
      const api = await addResourceServer(store, 'api');
      for (const name of ['one', 'two']) await addClient(store, name, api);
      const names = ['two', ...Array.from({ length: 450 }, (_, index) => `missing-${index}`), 'one'];
      const found = await store.clients.findByClientIds(names);
      assert.deepEqual(found.map(({ clientId }) => clientId).toSorted(), ['one', 'two']);
      assert.deepEqual(await store.clients.findByClientIds([]), []);
    }),
  );

  it(
    'registers many clients together as each by itself, and none where a name is taken',
    withStore(openStore, async (store) => {
      const api = await addResourceServer(store, 'api');
      const resourceServerId = api.id;
      const first = await store.clients.create(newClient({ resourceServerId }), ['client-3']);
      await store.clients.delete(first?.id ?? 0);
      const again = await store.clients.create(newClient({ resourceServerId }), ['client-3']);
      await store.clients.delete(again?.id ?? 0);
      const named = (count: number, prefix = 'client') =>
        Array.from({ length: count }, (_, index) => ({
          ...newClient({ resourceServerId, ...managed }),
          clientId: `${prefix}-${index}`,
        }));
      const created = await store.clients.createAll(named(250));
      const found = await store.clients.findByClientIds(created.map(({ clientId }) => clientId));
      assert.deepEqual(
        found.toSorted((a, b) => a.id - b.id),
        created,
      );
      assert.deepEqual(
        created.map(({ clientId }) => clientId),
        named(250).map(({ clientId }) => clientId),
      );
      const restarted = created.filter(({ tokensValidFrom }) => tokensValidFrom > 0);
      assert.deepEqual(
        restarted.map(({ clientId }) => clientId),
        ['client-3'],
      );
      assert.ok((await addClient(store, 'next', api)).id > (created.at(-1)?.id ?? 0));
      const taken = store.transact(({ clients }) => clients.createAll([...named(2, 'other'), ...named(1)]));
      await assert.rejects(taken);
      assert.deepEqual(await store.clients.findByClientIds(['other-0']), []);
      assert.deepEqual(await store.clients.createAll([]), []);
    }),
  );

  it(
    'has one entry for a configuration, the last one, and nothing of a transaction that fails',
    withStore(openStore, async (store) => {
      await store.transact(async ({ configurations }) => {
        await configurations.put(applied);
        await configurations.put({ ...applied, name: 'a-office' });
        await configurations.put({ ...applied, records: 3 });
      });
      const expected = [
        { ...applied, name: 'a-office', isRestored: false },
        { ...applied, records: 3, isRestored: false },
      ];
      assert.deepEqual(await store.configurations.list(), expected);
      const failure = new Error('stop');
      const failing = store.transact(async ({ configurations }) => {
        await configurations.remove('b-shop');
        throw failure;
      });
      await assert.rejects(failing, failure);
      assert.deepEqual(await store.configurations.list(), expected);
      await store.transact(({ configurations }) => configurations.remove('b-shop'));
      assert.deepEqual(await store.configurations.list(), expected.slice(0, 1));
    }),
  );
}

function inWords(
  records: readonly ManagedRecord<{
    readonly managedBy: string;
    readonly clientId?: string;
    readonly key?: string;
  }>[],
): string[] {
  return records.map(
    ({ record, appliedDigest }) => `${record.clientId ?? record.key} ${record.managedBy} ${appliedDigest}`,
  );
}
