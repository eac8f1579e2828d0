import assert from 'node:assert/strict';
import { it } from 'node:test';
import { listedTime, secretMatches } from '@watchword/protocol';
import { machineSecret } from '../../builders/machine-secret.ts';
import { newResourceServer } from '../../builders/resource-server.ts';
import { addClient, addResourceServer } from '../../registered.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';

export function resourceServerRules(openStore: OpenStore): void {
  it(
    'keeps every field of a resource server',
    withStore(openStore, async ({ resourceServers }) => {
      const registered = newResourceServer({
        name: 'Ünïcode "API"',
        description: 'x\ny',
        scopes: ['write', 'read'],
        contactName: 'Ann',
        contactEmail: 'ann@example.org',
        thumbNailUrl: 'https://example.org/a.png',
        owner: 'émile',
        ownerAuthority: 'https://idp.example/é',
      });
      const created = await resourceServers.create(registered, ['api']);
      const found = await resourceServers.find('api');
      assert.deepEqual(found, created);
      const { id, revision, secret, ...fields } = found ?? assert.fail('not found');
      const { secret: _, ...expected } = registered;
      assert.deepEqual(fields, { ...expected, managedBy: '', key: 'api' });
      assert.ok(secretMatches(secret, 'resource-server-secret', 0));
    }),
  );

  it(
    'lists the URIs that resource servers have, and those that they had while JWTs for them can be valid',
    withStore(openStore, async (store, clock) => {
      const { resourceServers } = store;
      await addResourceServer(store, 'none', { description: '"resources":["https://a.example/"]' });
      const jwts = { accessTokenFormat: 'jwt' } as const;
      const one = await addResourceServer(store, 'one', { resources: ['https://a.example/'] });
      const gone = await addResourceServer(store, 'gone', { resources: ['https://b.example/'], ...jwts });
      const uris = ['https://c.example/', 'https://d.example/', 'https://e.example/'];
      const lost = await addResourceServer(store, 'lost', { resources: uris, ...jwts });
      const opaque = await addResourceServer(store, 'opaque', { resources: ['https://f.example/'] });
      await resourceServers.delete(gone.id);
      await resourceServers.update(lost.id, { resources: ['https://c.example', 'https://e.example/'] });
      // Its JWTs are still accepted by those who do not know the change.
      await resourceServers.update(lost.id, { accessTokenFormat: 'opaque' });
      await resourceServers.update(lost.id, { resources: ['https://c.example'] });
      await resourceServers.update(opaque.id, { resources: [] });
      const known = async () => {
        const all = await resourceServers.listUris();
        return all.map(({ uri, id, key, until }) => [uri, id, key, until !== undefined] as const).toSorted();
      };
      const has = [
        ['https://a.example/', one.id, one.key, false],
        ['https://c.example', lost.id, lost.key, false],
      ];
      assert.deepEqual(await known(), [
        has[0],
        ['https://b.example/', gone.id, gone.key, true],
        has[1],
        ['https://c.example', lost.id, lost.key, true],
        ['https://d.example/', lost.id, lost.key, true],
        ['https://e.example/', lost.id, lost.key, true],
      ]);
      clock.advance(listedTime + 1);
      assert.deepEqual(await known(), has);
    }),
  );

  it(
    'gives a resource server the first key that no existing one has',
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
    'keeps a name unique for an owner, and free again after the deletion',
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
    'keeps a name unique for an exact identity provider and name of the owner',
    withStore(openStore, async ({ resourceServers }) => {
      const register = (owner: string, ownerAuthority: string) =>
        resourceServers.create(newResourceServer({ name: 'API', owner, ownerAuthority }), [
          `${owner}-${ownerAuthority}`,
        ]);
      const owners = [
        ['emma', 'password'],
        ['emma', 'idp'],
        ['Emma', 'password'],
        ['emma ', 'password'],
      ] as const;
      for (const [owner, identityProvider] of owners)
        assert.notEqual(await register(owner, identityProvider), undefined);
      for (const [owner, identityProvider] of owners) {
        assert.equal(await register(owner, identityProvider), undefined);
        const listed = await resourceServers.list({ owner: { name: owner, identityProvider }, limit: 9 });
        assert.deepEqual(
          listed.map(({ key }) => key),
          [`${owner}-${identityProvider}`],
        );
      }
    }),
  );

  it(
    'changes only the named fields, on that resource server only, and increments the revision',
    withStore(openStore, async (store) => {
      const server = await addResourceServer(store, 'api');
      const other = await addResourceServer(store, 'other');
      const change = { name: 'New', scopes: ['x'], owner: 'finn', ownerAuthority: 'idp' };
      const changed = await store.resourceServers.update(server.id, change);
      const { revision = 0, ...fields } = changed ?? assert.fail('not changed');
      const { revision: before, ...expected } = server;
      assert.deepEqual({ ...fields, secret: undefined }, { ...expected, ...change, secret: undefined });
      assert.ok(revision > before);
      assert.ok(secretMatches(changed?.secret, 'resource-server-secret', 0));
      assert.deepEqual(await store.resourceServers.findById(server.id), changed);
      assert.deepEqual(await store.resourceServers.findById(other.id), other);
      await store.resourceServers.delete(server.id);
      assert.equal(await store.resourceServers.update(server.id, { name: 'Late' }), undefined);
      assert.equal(await store.resourceServers.findById(server.id), undefined);
    }),
  );

  it(
    'changes nothing when the owner has another resource server of the new name, and permits its own name',
    withStore(openStore, async (store) => {
      const server = await addResourceServer(store, 'api');
      await addResourceServer(store, 'taken');
      assert.equal(
        await store.resourceServers.update(server.id, { name: 'taken', description: 'x' }),
        undefined,
      );
      assert.deepEqual(await store.resourceServers.findById(server.id), server);
      assert.equal((await store.resourceServers.update(server.id, { name: 'api' }))?.name, 'api');
    }),
  );

  it(
    'deletes the clients of a deleted resource server and no others',
    withStore(openStore, async (store) => {
      const [gone, kept] = [await addResourceServer(store, 'gone'), await addResourceServer(store, 'kept')];
      await addClient(store, 'a', gone);
      await addClient(store, 'b', gone);
      await addClient(store, 'c', kept);
      assert.ok(await store.resourceServers.delete(gone.id));
      assert.equal(await store.resourceServers.find('gone'), undefined);
      assert.deepEqual(
        (await store.clients.list({ limit: 10 })).map(({ clientId }) => clientId),
        ['c'],
      );
    }),
  );

  it(
    'does not delete a deleted resource server again or give it a secret',
    withStore(openStore, async (store) => {
      const { id } = await addResourceServer(store, 'api');
      await store.resourceServers.delete(id);
      assert.ok(!(await store.resourceServers.delete(id)));
      assert.ok(!(await store.resourceServers.replaceSecret(id, machineSecret('new'))));
      assert.deepEqual(await store.resourceServers.list({ limit: 10 }), []);
    }),
  );

  it(
    'never assigns a record id again',
    withStore(openStore, async (store) => {
      const first = await addResourceServer(store, 'api');
      await store.resourceServers.delete(first.id);
      assert.ok((await addResourceServer(store, 'api')).id > first.id);
    }),
  );

  it(
    'replaces a secret, on that resource server only',
    withStore(openStore, async (store) => {
      const { id } = await addResourceServer(store, 'api');
      await addResourceServer(store, 'other');
      assert.ok(await store.resourceServers.replaceSecret(id, machineSecret('new')));
      const secretOf = async (key: string) => (await store.resourceServers.find(key))?.secret;
      assert.ok(secretMatches(await secretOf('api'), 'new', 0));
      assert.ok(!secretMatches(await secretOf('api'), 'resource-server-secret', 0));
      assert.ok(secretMatches(await secretOf('other'), 'resource-server-secret', 0));
    }),
  );

  it(
    'lists resource servers page by page',
    withStore(openStore, async (store) => {
      const [, b] = [await addResourceServer(store, 'a'), await addResourceServer(store, 'b')];
      await addResourceServer(store, 'c');
      const keys = async (query: { after?: number; limit: number }) =>
        (await store.resourceServers.list(query)).map(({ key }) => key);
      assert.deepEqual(await keys({ limit: 2 }), ['a', 'b']);
      assert.deepEqual(await keys({ limit: 2, after: b.id }), ['c']);
      assert.equal(await store.resourceServers.count(), 3);
    }),
  );
}
