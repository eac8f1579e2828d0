import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addClient, addResourceServer } from '../../registered.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';

/** Clients that can use other resource servers than their own. */
export function clientsOfOthersRules(openStore: OpenStore): void {
  it(
    'lists and counts the clients that name another resource server, and no clients of its own',
    withStore(openStore, async (store) => {
      const [one, two, eleven] = [
        await addResourceServer(store, 'one'),
        await addResourceServer(store, 'two'),
        await addResourceServer(store, 'eleven'),
      ];
      await addClient(store, 'own', two);
      const uses = (...servers: { id: number }[]) => ({
        otherResourceServers: servers.map(({ id }) => ({ resourceServerId: id, scopes: ['read'] })),
      });
      const a = await addClient(store, 'a', one, uses(two, eleven));
      const b = await addClient(store, 'b', eleven, uses(two));
      await addClient(store, 'c', one, { clientName: `{"resourceServerId":${two.id},"scopes":[]}` });
      const of = (otherResourceServerId: number, page = {}) =>
        store.clients.list({ otherResourceServerId, limit: 9, ...page });
      const ids = async (...given: Parameters<typeof of>) => (await of(...given)).map(({ id }) => id);
      assert.deepEqual(await ids(two.id), [a.id, b.id]);
      assert.deepEqual(await ids(two.id, { after: a.id }), [b.id]);
      assert.deepEqual(await ids(two.id, { mayContain: 'test client' }), [a.id, b.id]);
      assert.deepEqual(await ids(eleven.id), [a.id]);
      assert.deepEqual(await ids(Number(`${two.id}0`)), []);
      assert.equal(await store.clients.count({ otherResourceServerId: two.id }), 2);
      assert.equal(await store.clients.count({ otherResourceServerId: one.id }), 0);
    }),
  );

  it(
    'remembers a resource server that a client can no longer use for as long as it can have JWTs of it',
    withStore(openStore, async (store, clock) => {
      const [home, two] = [await addResourceServer(store, 'home'), await addResourceServer(store, 'two')];
      const otherResourceServers = [{ resourceServerId: two.id, scopes: ['read'] }];
      const { id } = await addClient(store, 'x', home, { otherResourceServers });
      const lost = await store.clients.update(id, { otherResourceServers: [] });
      const [former, ...more] = lost?.formerResourceServers ?? [];
      assert.deepEqual([former?.resourceServerId, more], [two.id, []]);
      const days = ((former?.until ?? 0) - clock.now()) / 86_400_000;
      assert.ok(days > 1 && days < 2, `remembered for ${days} days`);
      assert.deepEqual((await store.clients.update(id, { clientName: 'Y' }))?.formerResourceServers, [
        former,
      ]);
      assert.deepEqual((await store.clients.findById(id))?.formerResourceServers, [former]);
      assert.equal(await store.clients.count({ otherResourceServerId: two.id }), 0);
      await store.refreshRegistry();
      assert.ok(store.registry.clientsOfOthers(two.id).has(id));
      const again = await store.clients.update(id, { otherResourceServers });
      assert.deepEqual(again?.otherResourceServers, otherResourceServers);
      assert.deepEqual(again?.formerResourceServers, []);
      await store.clients.update(id, { otherResourceServers: [] });
      clock.advance(2 * 86_400_000);
      assert.deepEqual((await store.clients.update(id, { clientName: 'Z' }))?.formerResourceServers, []);
    }),
  );
}
