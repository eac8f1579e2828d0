import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { secretMatches } from '@watchword/protocol';
import { addClient, addResourceServer, machineSecret } from '@watchword/testkit';
import type { ClientRow } from '../../src/hot/client-row.ts';
import { isRow, keptClient } from '../../src/records/kept-client.ts';
import { type TestDatabase, testDatabase } from '../support/test-database.ts';

const previousHash = machineSecret('previous').hash;
const clients = {
  usual: {},
  full: {
    description: 'Bücher €𐐷',
    redirectUris: ['https://a.example/cb', 'com.example.app:/cb'],
    attributes: { color: 'blue', size: '' },
    secret: { ...machineSecret('new'), previousHash, previousValidUntil: 5000 },
    scopes: [],
    skipConsent: true,
    trusted: true,
    expireDuration: 0,
    tokensValidFrom: 7,
  },
  escaped: { description: 'one "line"\nand\\another' },
  'with-others': { otherResourceServers: [{ resourceServerId: 7, scopes: ['read'] }] },
  'without-secret': { secret: undefined },
  public: {
    confidential: false,
    allowedClientCredentials: false,
    secret: undefined,
    redirectUris: ['https://app.example/cb'],
  },
};

/** Registers them, and closes the database. */
async function withClients(database: TestDatabase): Promise<void> {
  const store = await database.openServer();
  const api = await addResourceServer(store);
  for (const [name, values] of Object.entries(clients)) await addClient(store, name, api, values);
  const { id } = await addClient(store, 'changed', api, clients.public);
  await store.clients.update(id, { confidential: true });
  await store.close();
}

function rowWith(metadata: string, other_servers: string | null = null): ClientRow {
  return {
    id: 1,
    client_id: 'x',
    secret_hash: '',
    previous_secret_hash: '',
    previous_secret_valid_until: 0,
    secret_created: null,
    secrets: null,
    client_name: 'X',
    resource_server_id: 1,
    scopes: '',
    skip_consent: 0,
    is_trusted: 0,
    keeps_user_data: 0,
    tokens_valid_from: 0,
    other_servers,
    managed_by: null,
    metadata,
    revision: 1,
    deleted_at: null,
  };
}

describe('a client that a server has read', () => {
  it('has the record that the database returns', async () => {
    await using database = await testDatabase();
    await withClients(database);
    const { registry, clients: stored } = await database.openServer();
    for (const name of Object.keys(clients)) {
      const client = await stored.find(name);
      assert.ok(client);
      assert.deepEqual(registry.clientById(client.id), client);
      assert.equal(registry.clientByClientId(name), registry.clientById(client.id));
    }
  });

  it('counts, and has its origins, before its record is asked for', async () => {
    await using database = await testDatabase();
    await withClients(database);
    const { registry } = await database.openServer();
    const resourceServerId = registry.resourceServerByKey('api')?.id ?? 0;
    assert.equal(registry.countClients({ resourceServerId }), 7);
    assert.ok(registry.isPublicClientOrigin('https://app.example'));
    assert.ok(!registry.isPublicClientOrigin('https://a.example'));
  });

  it('has its record made later if it is confidential and written as usual', async () => {
    await using database = await testDatabase();
    await withClients(database);
    const rows = await database.sql('select client_id, metadata, other_servers from client');
    const later = rows.filter(({ metadata, other_servers }) =>
      isRow(keptClient(rowWith(String(metadata), other_servers as string | null))),
    );
    assert.deepEqual(later.map(({ client_id }) => client_id).sort(), [
      'changed',
      'full',
      'usual',
      'without-secret',
    ]);
  });

  it('is reported when it is read if its row is damaged', async () => {
    await using database = await testDatabase();
    const server = await database.openServer();
    const { id } = await addClient(server, 'x', await addResourceServer(server));
    await server.refreshRegistry();
    const [row] = await database.sql('select metadata from client');
    const metadata = String(row?.metadata);
    const damaged = ['', metadata.slice(0, -1), metadata.replace(',', ''), metadata.replace('"', '')];
    for (const text of damaged) {
      await server.clients.replaceSecret(id, machineSecret('new'));
      await database.sql('update client set metadata = ?', text);
      await assert.rejects(server.refreshRegistry(), /JSON/);
      // Nothing of that read is in memory.
      assert.ok(secretMatches(server.registry.clientById(id)?.secret, 'client-secret', 0));
    }
    await server.close();
    await assert.rejects(database.openServer(), /JSON/);
  });
});
