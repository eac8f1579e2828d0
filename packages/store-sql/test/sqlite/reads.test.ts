import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client, ResourceServer } from '@watchword/protocol';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import {
  accountRegistration,
  addClient,
  addResourceServer,
  auditEventFactory,
  buildAccount,
  newResourceServer,
  rounds,
  tokenFactory,
} from '@watchword/testkit';
import { openReader } from '../../src/dialects/sqlite/threads/open-reader.ts';
import type { ServerStore } from '../../src/index.ts';
import { testDatabase } from '../support/test-database.ts';

interface Records {
  readonly store: ServerStore;
  readonly server: ResourceServer;
  readonly client: Client;
}

const counted = (client: Client) => ({ id: client.id, tokensValidFrom: 0 });

/** Every lookup outside of a transaction. */
const reads: Record<string, (records: Records) => Promise<unknown>> = {
  'a list of clients': ({ store }) => store.clients.list({ limit: 9 }),
  'a list of resource servers': ({ store }) => store.resourceServers.list({ limit: 9 }),
  'a list of accounts': ({ store }) => store.accounts.list({ limit: 9 }),
  'a list of tokens': ({ store }) => store.accessTokens.list({ limit: 9 }),
  'a scan of tokens': ({ store }) => store.accessTokens.scan({ of: 'all', limit: 9 }),
  'a list of tokens of a client': ({ store, client }) =>
    store.accessTokens.list({ clientRecordId: client.id, limit: 9 }),
  'a scan of tokens of a client': ({ store, client }) =>
    store.accessTokens.scan({ of: 'client', clientRecordId: client.id, limit: 9 }),
  'a list of grants': ({ store }) => store.grants.listBySubject('subject', 0),
  'a list of audit events': ({ store }) => store.auditEvents.list({ limit: 9 }),
  'a list of sealing keys': ({ store }) => store.sealingKeys.list(),
  'statistics of a client': ({ store, client }) => store.statistics.countOf(counted(client), 0, 9),
  'statistics of issued tokens': ({ store }) => store.statistics.issued({ from: 0, until: 9 }),
  'a snapshot': ({ store }) => store.readSnapshot(({ clients }) => clients.list({ limit: 9 })),
  'a client': ({ store, client }) => store.clients.find(client.clientId),
  'a client by its record id': ({ store, client }) => store.clients.findById(client.id),
  'clients by their record ids': ({ store, client }) => store.clients.findByIds([client.id]),
  'a resource server': ({ store, server }) => store.resourceServers.find(server.key),
  'a resource server by its record id': ({ store, server }) => store.resourceServers.findById(server.id),
  'an account': ({ store }) => store.accounts.find('emma'),
  'a link of an account': ({ store }) => store.accountLinks.find('none'),
  'links of an account': ({ store }) => store.accountLinks.listOfAccount('none'),
  'a default of the installation': ({ store }) => store.installationDefault('factors.required'),
  'credentials of a person': ({ store }) => store.credentials.listBySubject('none'),
  'a credential by its handle': ({ store }) => store.credentials.findByHandle('none'),
  'a link of a person': ({ store }) => store.personLinks.find('none', 0),
  'mails that are due': ({ store }) => store.outgoingMail.listDue(0, 9),
  'accounts by their address': ({ store }) => store.accounts.listByEmail('none', 9),
  'a session link': ({ store }) => store.sessionLinks.find('none'),
  'a step of a login': ({ store }) => store.stepRecords.find('none', 'none'),
  'session links by their key': ({ store }) => store.sessionLinks.findByKey('none'),
};

describe('a lookup', () => {
  // The limit is for a lookup that waits for the transaction which waits for the lookup.
  it('has a result while a transaction is open', { timeout: 30_000 }, async (test) => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const server = await addResourceServer(store);
    const client = await addClient(store, 'client', server);
    for (const [what, read] of Object.entries(reads)) {
      test.diagnostic(what);
      const before = await read({ store, server, client });
      const during = store.transact(async ({ resourceServers }) => {
        await resourceServers.create(newResourceServer({ name: what }), [what]);
        assert.deepEqual(await read({ store, server, client }), before, what);
        throw new Error('rolled back');
      });
      await assert.rejects(during, /^Error: rolled back$/);
    }
  });

  it('returns all writes that have resolved', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const server = await addResourceServer(store);
    const client = await addClient(store, 'client', server);
    const token = tokenFactory();
    const event = auditEventFactory();
    for (let round = 1; round <= rounds(15, 50); round += 1) {
      await store.accessTokens.insert(token({ clientRecordId: client.id }));
      await store.transact(({ auditEvents }) => auditEvents.append([event()]));
      await store.clients.update(client.id, { description: String(round) });
      const [listed] = await store.clients.list({ limit: 1 });
      assert.equal(listed?.description, String(round));
      assert.equal((await store.clients.find('client'))?.description, String(round));
      assert.equal((await store.auditEvents.list({ limit: 99 })).length, round);
      const { tokens } = await store.readSnapshot(({ statistics }) =>
        statistics.countOf(counted(client), 0, 99),
      );
      assert.equal(tokens, round);
    }
    await store.accounts.create(buildAccount({ ...accountRegistration(), username: 'emma' }));
    assert.equal((await store.accounts.find('emma'))?.username, 'emma');
  });

  it('works in a tool too, without a thread', async () => {
    await using database = await testDatabase();
    await (await database.openServer()).close();
    const store = await database.openTool();
    const server = await addResourceServer(store);
    await addClient(store, 'client', server);
    assert.equal((await store.clients.list({ limit: 9 })).length, 1);
    const seen = await store.readSnapshot(async ({ clients }) => {
      const first = await clients.list({ limit: 9 });
      await addClient(store, 'meanwhile', server);
      return [first, await clients.list({ limit: 9 })];
    });
    assert.deepEqual(
      seen.map(({ length }) => length),
      [1, 1],
    );
    assert.equal((await store.clients.list({ limit: 9 })).length, 2);
  });
});

describe('a connection for reads', onlyOn('sqlite', 'its parameters'), () => {
  it('has the measured size of page cache, maps no file, and writes nothing', async () => {
    await using database = await testDatabase();
    await (await database.openServer()).close();
    const db = openReader({ file: database.file, busyTimeout: 0 });
    assert.equal(db.prepare('pragma cache_size').get()?.cache_size, -2000);
    assert.equal(db.prepare('pragma mmap_size').get()?.mmap_size, 0);
    assert.throws(() => db.exec('delete from client'), /readonly/);
    db.close();
  });
});
