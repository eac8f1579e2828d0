import assert from 'node:assert/strict';
import { it } from 'node:test';
import { secretMatches } from '@watchword/protocol';
import { machineSecret } from '../builders/machine-secret.ts';
import { newResourceServer } from '../builders/resource-server.ts';
import { addClient, addResourceServer } from '../registered.ts';
import type { OpenStore } from './store-conformance.ts';
import { withStore } from './with-store.ts';

export function resourceServerRules(openStore: OpenStore): void {
  it(
    'every field of a resource server is kept',
    withStore(openStore, async ({ resourceServers }) => {
      const registered = newResourceServer({
        name: 'Ünïcode "API"',
        description: 'x\ny',
        scopes: ['write', 'read'],
        contactName: 'Ann',
        contactEmail: 'ann@example.org',
        thumbNailUrl: 'https://example.org/a.png',
        owner: 'émile',
      });
      const created = await resourceServers.create(registered, ['api']);
      const found = await resourceServers.find('api');
      assert.deepEqual(found, created);
      const { id, secret, ...fields } = found ?? assert.fail('not found');
      const { secret: _, ...expected } = registered;
      assert.deepEqual(fields, { ...expected, key: 'api' });
      assert.ok(secretMatches(secret, 'resource-server-secret', 0));
    }),
  );

  it(
    'a resource server gets the first key that no living one has',
    withStore(openStore, async ({ resourceServers }) => {
      const register = (name: string) => resourceServers.create(newResourceServer({ name }), ['x', 'x2']);
      const first = await register('a');
      assert.equal(first?.key, 'x');
      assert.equal((await register('b'))?.key, 'x2');
      await resourceServers.delete(first.id);
      assert.equal((await register('c'))?.key, 'x');
    }),
  );

  it(
    'a name is unique per owner, and free again after the deletion',
    withStore(openStore, async ({ resourceServers }) => {
      const register = (owner: string, key: string) =>
        resourceServers.create(newResourceServer({ name: 'API', owner }), [key]);
      const first = await register('emma', 'a');
      assert.equal(await register('emma', 'b'), undefined);
      assert.notEqual(await register('finn', 'c'), undefined);
      await resourceServers.delete(first?.id ?? 0);
      assert.notEqual(await register('emma', 'd'), undefined);
    }),
  );

  it(
    'deleting a resource server deletes its clients and no others',
    withStore(openStore, async (store) => {
      const [gone, kept] = [await addResourceServer(store, 'gone'), await addResourceServer(store, 'kept')];
      await addClient(store, 'a', gone);
      await addClient(store, 'b', gone);
      await addClient(store, 'c', kept);
      assert.equal(await store.resourceServers.delete(gone.id), true);
      assert.equal(await store.resourceServers.find('gone'), undefined);
      assert.deepEqual(
        (await store.clients.list({ limit: 10 })).map(({ clientId }) => clientId),
        ['c'],
      );
    }),
  );

  it(
    'a deleted resource server cannot be deleted again nor get a secret',
    withStore(openStore, async (store) => {
      const { id } = await addResourceServer(store, 'api');
      await store.resourceServers.delete(id);
      assert.equal(await store.resourceServers.delete(id), false);
      assert.equal(await store.resourceServers.replaceSecret(id, machineSecret('new')), false);
      assert.deepEqual(await store.resourceServers.list({ limit: 10 }), []);
    }),
  );

  it(
    'a record id is never given again',
    withStore(openStore, async (store) => {
      const first = await addResourceServer(store, 'api');
      await store.resourceServers.delete(first.id);
      assert.ok((await addResourceServer(store, 'api')).id > first.id);
    }),
  );

  it(
    'a new secret replaces the old one, on that resource server only',
    withStore(openStore, async (store) => {
      const { id } = await addResourceServer(store, 'api');
      await addResourceServer(store, 'other');
      assert.equal(await store.resourceServers.replaceSecret(id, machineSecret('new')), true);
      const secretOf = async (key: string) => (await store.resourceServers.find(key))?.secret;
      assert.ok(secretMatches(await secretOf('api'), 'new', 0));
      assert.equal(secretMatches(await secretOf('api'), 'resource-server-secret', 0), false);
      assert.ok(secretMatches(await secretOf('other'), 'resource-server-secret', 0));
    }),
  );

  it(
    'resource servers are listed page by page',
    withStore(openStore, async (store) => {
      const [, b] = [await addResourceServer(store, 'a'), await addResourceServer(store, 'b')];
      await addResourceServer(store, 'c');
      const keys = async (query: { after?: number; limit: number }) =>
        (await store.resourceServers.list(query)).map(({ key }) => key);
      assert.deepEqual(await keys({ limit: 2 }), ['a', 'b']);
      assert.deepEqual(await keys({ limit: 2, after: b.id }), ['c']);
    }),
  );
}
