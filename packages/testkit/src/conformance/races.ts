import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Client } from '@watchword/protocol';
import { tokenFactory } from '../builders/access-token.ts';
import { newClient } from '../builders/client.ts';
import { newResourceServer } from '../builders/resource-server.ts';
import { addClient, addResourceServer } from '../registered.ts';
import { times } from './rounds.ts';
import type { OpenStore } from './store-under-test.ts';
import { withStore } from './with-store.ts';

const slugs = (name: string) => [name, ...times(50, (index) => `${name}${index + 2}`)];

export function raceRules(openStore: OpenStore): void {
  it(
    'accepts one of many concurrent registrations of one name by one owner',
    withStore(openStore, async ({ resourceServers }) => {
      const created = await Promise.all(
        times(20, () => resourceServers.create(newResourceServer({ name: 'API' }), slugs('api'))),
      );
      assert.equal(created.filter((server) => server !== undefined).length, 1);
      assert.equal((await resourceServers.list({ limit: 30 })).length, 1);
    }),
  );

  it(
    'gives clients of one name that are registered concurrently the ids x, x2, x3, …',
    withStore(openStore, async (store) => {
      const { id } = await addResourceServer(store, 'api');
      const created = await Promise.all(
        times(20, () => store.clients.create(newClient({ resourceServerId: id }), slugs('x'))),
      );
      assert.deepEqual(
        created.map((client) => client?.clientId).toSorted(),
        slugs('x').slice(0, 20).toSorted(),
      );
      assert.equal(new Set(created.map((client) => client?.id)).size, 20);
    }),
  );

  it(
    'leaves no client that is registered while its resource server is deleted',
    withStore(openStore, async (store) => {
      for (const round of times(5, String)) {
        const { id } = await addResourceServer(store, `api-${round}`);
        const register = () => store.clients.create(newClient({ resourceServerId: id }), slugs('x'));
        await Promise.all([register(), store.resourceServers.delete(id), register()]);
        assert.deepEqual(await store.clients.list({ limit: 10, resourceServerId: id }), []);
      }
    }),
  );

  it(
    'accepts one of many concurrent deletions of one client',
    withStore(openStore, async (store) => {
      const { id } = await addClient(store, 'x', await addResourceServer(store, 'api'));
      const deleted = await Promise.all(times(10, () => store.clients.delete(id)));
      assert.equal(deleted.filter(Boolean).length, 1);
    }),
  );

  it(
    'accepts one of many concurrent revocations of one token',
    withStore(openStore, async ({ accessTokens }) => {
      const token = tokenFactory()();
      await accessTokens.insert(token);
      const revoked = await Promise.all(times(20, () => accessTokens.revoke(token.id)));
      assert.equal(revoked.filter(Boolean).length, 1);
    }),
  );

  it(
    'finds every token that is inserted concurrently with registrations',
    withStore(openStore, async (store) => {
      const make = tokenFactory();
      const tokens = times(200, (index) => make({ clientRecordId: index, scopes: [`s${index}`] }));
      const server = await addResourceServer(store, 'api');
      const registering: Promise<Client | undefined>[] = times(5, () =>
        store.clients.create(newClient({ resourceServerId: server.id }), slugs('x')),
      );
      await Promise.all([...registering, ...tokens.map((token) => store.accessTokens.insert(token))]);
      const found = await Promise.all(tokens.map(({ id }) => store.accessTokens.find(id)));
      assert.deepEqual(
        found.map((token) => [token?.id, token?.clientRecordId, token?.scopes]),
        tokens.map((token) => [token.id, token.clientRecordId, token.scopes]),
      );
    }),
  );

  it(
    'shows a token as revoked to every reader as soon as its revocation resolves',
    withStore(openStore, async ({ accessTokens }) => {
      const make = tokenFactory();
      await Promise.all(
        times(50, async () => {
          const token = make();
          await accessTokens.insert(token);
          assert.notEqual(await accessTokens.find(token.id), undefined);
          await accessTokens.revoke(token.id);
          assert.equal(await accessTokens.find(token.id), undefined);
        }),
      );
    }),
  );
}
