import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resourceServerDefaults } from '@watchword/administration';
import { clientDefaults, clientFields } from '@watchword/protocol';
import { addClient, addResourceServer } from '@watchword/testkit';
import { recordMetadata } from '../../src/records/record-metadata.ts';
import { sharedDatabase } from '../support/shared-database.ts';

const testDatabase = sharedDatabase();

describe('the metadata of a record', () => {
  it('keeps the fields that a newer release wrote when this release changes the record', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const server = await addResourceServer(store, 'api');
    const client = await addClient(store, 'app', server);
    for (const table of ['client', 'resource_server']) {
      const [row] = await database.sql(`select metadata from ${table}`);
      const newer = { ...JSON.parse(String(row?.metadata)), fieldOfANewerRelease: { a: [1] } };
      await database.sql(`update ${table} set metadata = ?`, JSON.stringify(newer));
    }

    const changed = await store.clients.update(client.id, { description: 'changed', redirectUris: [] });
    await store.resourceServers.update(server.id, { description: 'changed' });
    for (const table of ['client', 'resource_server']) {
      const [row] = await database.sql(`select metadata from ${table}`);
      const metadata = JSON.parse(String(row?.metadata));
      assert.deepEqual([metadata.fieldOfANewerRelease, metadata.description], [{ a: [1] }, 'changed']);
    }
    assert.ok(!Object.hasOwn(changed ?? {}, 'fieldOfANewerRelease'));
  });

  it('has the default of each field that an older release did not write', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const server = await addResourceServer(store, 'api');
    const client = await addClient(store, 'app', server, { useRefreshTokens: true });
    await database.sql("update client set metadata = '{}'");
    await database.sql("update resource_server set metadata = '{}'");

    const { clientName: _, scopes: __, skipConsent: ___, ...fields } = clientDefaults;
    const read = await store.clients.findById(client.id);
    assert.deepEqual({ ...read, ...fields }, read);
    const readServer = await store.resourceServers.findById(server.id);
    assert.equal(readServer?.contactName, resourceServerDefaults.contactName);
  });

  it('takes a client of the implicit grant for public where an older release wrote it', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const server = await addResourceServer(store, 'api');
    const { id } = await addClient(store, 'app', server, { secret: undefined });
    for (const [metadata, confidential] of [
      ['{}', true],
      ['{"allowedImplicitGrant":false}', true],
      ['{"allowedImplicitGrant":true}', false],
      // An older release that runs beside this one changes the grant alone.
      ['{"allowedImplicitGrant":true,"confidential":true}', false],
      ['{"allowedImplicitGrant":false,"confidential":false}', false],
    ] as const) {
      await database.sql('update client set metadata = ?', metadata);
      assert.equal((await store.clients.findById(id))?.confidential, confidential, metadata);
    }
  });

  it('reads own members only, and keeps a member named __proto__ as data', () => {
    const metadata = recordMetadata(clientFields, []);
    const stored = '{"__proto__":{"description":"inherited"},"constructor":1}';
    const record = metadata.read(stored);
    assert.equal(record.description, '');
    assert.equal(Object.getPrototypeOf(record), Object.prototype);
    const written = metadata.write(record, stored);
    assert.match(written, /^\{"__proto__":\{"description":"inherited"\},"constructor":1,/);
  });
});
