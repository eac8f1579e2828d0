import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type MachineSecret, secretMatches, secretsOf, withNewSecret } from '@watchword/protocol';
import { machineSecret } from '../../builders/machine-secret.ts';
import { addClient, addResourceServer } from '../../registered.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';

export function clientSecretRules(openStore: OpenStore): void {
  it(
    'knows the clients whose secrets all expire',
    withStore(openStore, async (store) => {
      const server = await addResourceServer(store, 'api');
      const { id } = await addClient(store, 'x', server);
      await addClient(store, 'y', server);
      const { registry } = store;
      const expiring = async (secret: MachineSecret | undefined) => {
        await store.clients.replaceSecret(id, secret);
        await store.refreshRegistry();
        return [...registry.expiringClients()];
      };
      const one = withNewSecret('one', { description: '', expires: 99 }, undefined, 0);
      assert.deepEqual(await expiring(one), [id]);
      assert.deepEqual(await expiring(withNewSecret('two', { description: '', expires: 0 }, one, 0)), []);
      assert.deepEqual(await expiring(one), [id]);
      assert.deepEqual(await expiring(undefined), []);
    }),
  );

  it(
    'replaces a secret, with its overlap',
    withStore(openStore, async (store) => {
      const { id } = await addClient(store, 'x', await addResourceServer(store, 'api'));
      const previousHash = machineSecret('client-secret').hash;
      const secret = { ...machineSecret('new'), previousHash, previousValidUntil: 99 };
      assert.ok(await store.clients.replaceSecret(id, secret));
      const stored = (await store.clients.find('x'))?.secret;
      assert.ok(secretMatches(stored, 'new', 1000));
      assert.ok(secretMatches(stored, 'client-secret', 98));
      assert.ok(!secretMatches(stored, 'client-secret', 99));
    }),
  );

  it(
    'keeps several secrets of a client with what is known of each, and takes the last one away',
    withStore(openStore, async (store) => {
      const { id } = await addClient(store, 'x', await addResourceServer(store, 'api'));
      const details = { description: "the 'old' server ✓", expires: 99 };
      const two = withNewSecret('second', details, (await store.clients.findById(id))?.secret, 5);
      await store.clients.replaceSecret(id, withNewSecret('third', { description: '', expires: 0 }, two, 6));
      const stored = (await store.clients.find('x'))?.secret;
      const known = secretsOf(stored).map(({ hash: _, ...each }) => each);
      assert.deepEqual(known, [
        { id: 3, description: '', creationDate: 6, expires: 0 },
        { id: 2, ...details, creationDate: 5 },
        { id: 1, description: '', creationDate: 0, expires: 0 },
      ]);
      for (const text of ['client-secret', 'second', 'third'])
        assert.ok(secretMatches(stored, text, 98), text);
      await store.clients.update(id, { clientName: 'New' });
      assert.deepEqual((await store.clients.findById(id))?.secret, stored);
      assert.ok(await store.clients.replaceSecret(id, undefined));
      assert.equal((await store.clients.find('x'))?.secret, undefined);
    }),
  );
}
