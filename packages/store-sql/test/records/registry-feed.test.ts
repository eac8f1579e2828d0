import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { secretMatches } from '@watchword/protocol';
import { addClient, addResourceServer, buildSigningKey, machineSecret } from '@watchword/testkit';
import type { ServerStore } from '../../src/index.ts';
import { rightsWithGivers } from '../../src/records/rights.ts';
import { testDatabase } from '../support/test-database.ts';

/** Waits until the polling of the store has read the change; the deadline is for a broken store. */
async function until(condition: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 10_000; !condition(); ) {
    assert.ok(Date.now() < deadline, 'the registry has not followed');
    await delay(10);
  }
}

describe('the registry of a server', () => {
  it('follows changes of another process', async () => {
    await using database = await testDatabase();
    const server = await database.openServer();
    const tool = await database.openTool();
    const api = await addResourceServer(tool);
    const { id } = await addClient(tool, 'x', api);
    await server.refreshRegistry();
    assert.equal(server.registry.resourceServerByKey('api')?.id, api.id);
    assert.equal(server.registry.clientByClientId('x')?.id, id);

    await tool.clients.replaceSecret(id, machineSecret('new'));
    await tool.clients.revokeTokens(id, 77);
    await server.refreshRegistry();
    assert.ok(secretMatches(server.registry.clientById(id)?.secret, 'new', 0));
    assert.equal(server.registry.clientById(id)?.tokensValidFrom, 77);

    await tool.resourceServers.delete(api.id);
    await server.refreshRegistry();
    assert.equal(server.registry.resourceServerByKey('api'), undefined);
    assert.equal(server.registry.clientById(id), undefined);
  });

  it('knows who gave rights to clients, also on another node, and asks the database while it is not current', async () => {
    await using database = await testDatabase();
    const [one, two] = [await database.openServer(), await database.openTool()];
    const emma = { identityProvider: 'groups', name: 'emma' };
    const given = { clientRecordId: 3, right: 'keys:read', giver: emma, creationDate: 7 };
    let isCurrent = true;
    let read = async () => {};
    const node = rightsWithGivers(
      two.rights,
      (follow) => {
        read = follow;
      },
      () => isCurrent,
    );
    await read();
    await one.transact(({ rights }) => rights.give(given));
    assert.equal(await one.rights.isGiver(emma), true);
    assert.equal(await one.rights.isGiver({ ...emma, name: 'Emma' }), false);
    assert.equal(await one.rights.isGiver({ ...emma, identityProvider: 'other' }), false);
    assert.equal(await node.isGiver(emma), false, 'a node that is current asks its memory alone');
    isCurrent = false;
    assert.equal(await node.isGiver(emma), true, 'a node that is not current asks the database');
    isCurrent = true;
    await read();
    assert.equal(await node.isGiver(emma), true);

    await two.transact(({ rights }) => rights.end({ giver: emma }));
    await one.refreshRegistry();
    assert.equal(await one.rights.isGiver(emma), false);
  });

  it('follows changes automatically while it is watched', async () => {
    await using database = await testDatabase();
    const server = await database.openServer();
    server.watchRegistry((error) => assert.fail(String(error)));
    const tool = await database.openTool();
    const api = await addResourceServer(tool);
    await until(() => server.registry.resourceServerById(api.id) !== undefined);
    await tool.resourceServers.delete(api.id);
    await until(() => server.registry.resourceServerById(api.id) === undefined);
  });

  it('reads all records again when it has missed the deletion of a purged record', async () => {
    await using database = await testDatabase();
    const server = await database.openServer();
    const api = await addResourceServer(server);
    const gone = await addClient(server, 'gone', api);
    const kept = await addClient(server, 'kept', api);
    await server.refreshRegistry();

    const tool = await database.openTool();
    await tool.clients.delete(gone.id);
    const now = database.clock.now();
    const { clients } = await tool.purge({ expiredBefore: now, deletedBefore: now + 1, batchSize: 10 });
    assert.equal(clients, 1);
    await addClient(tool, 'later', api);
    await server.refreshRegistry();
    assert.equal(server.registry.clientById(gone.id), undefined);
    assert.equal(server.registry.clientByClientId('gone'), undefined);
    assert.equal(server.registry.clientById(kept.id)?.clientId, 'kept');
    assert.equal(server.registry.clientByClientId('later')?.clientName, 'Test Client');
    assert.equal(server.registryStatistics().clients, 2);
  });

  it('is complete when the store is open', async () => {
    await using database = await testDatabase();
    const first = await database.openServer();
    const api = await addResourceServer(first);
    await addClient(first, 'x', api);
    await first.clients.delete((await addClient(first, 'deleted', api)).id);
    await first.close();
    const { registry, registryStatistics } = await database.openServer();
    assert.notEqual(registry.clientByClientId('x'), undefined);
    assert.equal(registry.clientByClientId('deleted'), undefined);
    const { clients, resourceServers } = registryStatistics();
    assert.deepEqual({ clients, resourceServers }, { clients: 1, resourceServers: 1 });
  });

  it('counts its hits', async () => {
    await using database = await testDatabase();
    const server: ServerStore = await database.openServer();
    await addResourceServer(server);
    await server.refreshRegistry();
    server.registry.resourceServerByKey('api');
    server.registry.resourceServerByKey('nobody');
    server.registry.clientById(1);
    const { hits, misses } = server.registryStatistics();
    assert.deepEqual({ hits, misses }, { hits: 1, misses: 2 });
  });

  it('is current only when its followers have read the change too', async () => {
    await using database = await testDatabase();
    const server = await database.openServer();
    const tool = await database.openTool();
    let read = 0;
    let failure: Error | undefined = new Error('no');
    server.followChanges(async () => {
      if (failure !== undefined) throw failure;
      read = (await server.signingKeys.list()).length;
    });
    await tool.transact(({ signingKeys }) => signingKeys.insert(buildSigningKey('a')));
    await assert.rejects(server.refreshRegistry(), /^Error: no$/);
    failure = undefined;
    await server.refreshRegistry();
    assert.equal(read, 1);
    assert.ok(!(await server.refreshRegistry()));
  });

  it('contains what was committed before each of many concurrent refreshes', async () => {
    await using database = await testDatabase();
    const server = await database.openServer();
    const api = await addResourceServer(server);
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const { id } = await addClient(server, `c${index}`, api);
        await server.refreshRegistry();
        assert.equal(server.registry.clientById(id)?.clientId, `c${index}`);
      }),
    );
  });
});
