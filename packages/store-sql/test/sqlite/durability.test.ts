import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { addClient, addResourceServer, tokenFactory } from '@watchword/testkit';
import { idToBytes } from '../../src/hot/token-id.ts';
import { snapshot } from '../support/snapshot.ts';
import { testDatabase } from '../support/test-database.ts';

const only = onlyOn('sqlite', 'reads the files');

function count(db: DatabaseSync, sql: string, ...parameters: (string | Buffer)[]): unknown {
  const row = db.prepare(`select count(*) as found from ${sql}`).get(...parameters);
  db.close();
  return row?.found;
}

describe('a resolved write', only, () => {
  it('is in the files: an inserted token', async () => {
    await using database = await testDatabase();
    const { accessTokens } = await database.openServer();
    const make = tokenFactory();
    for (let round = 0; round < 5; round += 1) {
      const tokens = Array.from({ length: 20 }, () => make());
      await Promise.all(tokens.map((token) => accessTokens.insert(token)));
      assert.equal(count(snapshot(database, `copy-${round}`), 'access_token'), (round + 1) * 20);
    }
  });

  it('is in the files: a revocation', async () => {
    await using database = await testDatabase();
    const { accessTokens } = await database.openServer();
    const token = tokenFactory()();
    await accessTokens.insert(token);
    await accessTokens.revoke(token.id);
    const found = count(snapshot(database, 'copy'), 'access_token where id = ?', idToBytes(token.id));
    assert.equal(found, 0);
  });

  it('is in the files: a registration and a deletion', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const server = await addResourceServer(store);
    const { id } = await addClient(store, 'x', server);
    assert.equal(count(snapshot(database, 'before'), 'client where deleted_at is null'), 1);
    await store.clients.delete(id);
    assert.equal(count(snapshot(database, 'after'), 'client where deleted_at is null'), 0);
  });

  it('exists after the store is opened again', async () => {
    await using database = await testDatabase();
    const first = await database.openServer();
    const token = tokenFactory()();
    const server = await addResourceServer(first);
    await addClient(first, 'x', server);
    await first.accessTokens.insert(token);
    await first.close();
    const second = await database.openServer();
    assert.deepEqual(second.migrated, []);
    assert.equal((await second.accessTokens.find(token.id))?.id, token.id);
    assert.equal(second.registry.clientByClientId('x')?.resourceServerId, server.id);
  });
});

describe('many tokens at once', only, () => {
  it('are all found, and share few transactions', async () => {
    await using database = await testDatabase();
    const commits: number[] = [];
    const { accessTokens } = await database.openServer((batchSize) => commits.push(batchSize));
    const make = tokenFactory();
    const tokens = Array.from({ length: 500 }, () => make());
    await Promise.all(tokens.map((token) => accessTokens.insert(token)));
    const found = await Promise.all(tokens.map(({ id }) => accessTokens.find(id)));
    assert.deepEqual(
      found.map((token) => token?.id),
      tokens.map(({ id }) => id),
    );
    assert.equal(
      commits.reduce((sum, size) => sum + size, 0),
      500,
    );
    assert.ok(commits.length <= 50, `${commits.length} transactions`);
  });

  it('that are being written when the store closes are completed first', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const make = tokenFactory();
    const inserts = Array.from({ length: 200 }, () => store.accessTokens.insert(make()));
    await store.close();
    await Promise.all(inserts);
    assert.equal(count(database.connect(), 'access_token'), 200);
  });
});
