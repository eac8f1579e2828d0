import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listedTime } from '@watchword/protocol';
import { addClient, addResourceServer, tokenFactory } from '@watchword/testkit';
import type { Kysely } from 'kysely';
import type { Schema } from '../../src/schema/schema.ts';
import { appendToOutbox, readOutbox, removeFromOutbox } from '../../src/work/outbox.ts';
import { connectKysely } from '../support/connect-kysely.ts';
import { sharedDatabase } from '../support/shared-database.ts';
import { type TestDatabase, testDatabase } from '../support/test-database.ts';

const openDatabase = sharedDatabase();

async function connect(database: TestDatabase) {
  await database.migrate('all');
  return connectKysely(database);
}

const append = (db: Kysely<Schema>, clientRecordId: number) =>
  db.transaction().execute((each) => appendToOutbox(each, 'tokens_ended', { clientRecordId }, 7));

const read = async (db: Kysely<Schema>, after = 0, limit = 10) =>
  (await readOutbox(db, 'tokens_ended', { after, againBefore: 0, limit })).map(
    ({ payload }) => Object.values(payload)[0],
  );

describe('the outbox', () => {
  it('is read in the order of the commits, from a cursor on, until a message is removed', async () => {
    await using database = await testDatabase();
    await using connection = await connect(database);
    const { db } = connection;
    for (const client of [5, 3, 4]) await append(db, client);
    const [first, second] = await readOutbox(db, 'tokens_ended', { after: 0, againBefore: 0, limit: 2 });
    assert.deepEqual(first?.payload, { clientRecordId: 5 });
    assert.equal(first?.creationDate, 7);
    assert.deepEqual(await read(db, second?.sequenceNumber), [4]);
    assert.deepEqual(await read(db), [5, 3, 4]);
    await removeFromOutbox(db, [second?.sequenceNumber ?? 0]);
    assert.deepEqual(await read(db), [5, 4]);
  });

  it('has no message of a change that was rolled back, and all messages after it', async () => {
    await using database = await testDatabase();
    await using connection = await connect(database);
    const { db } = connection;
    const failing = db.transaction().execute(async (transaction) => {
      await appendToOutbox(transaction, 'tokens_ended', { clientRecordId: 1 }, 0);
      throw new Error('rolled back');
    });
    const others = [2, 3].map((client) => append(db, client));
    await assert.rejects(failing, /rolled back/);
    await Promise.all(others);
    // Two connections of PostgreSQL can append at once.
    assert.deepEqual((await read(db)).toSorted(), [2, 3]);
  });
});

async function messages(database: TestDatabase): Promise<unknown[]> {
  const rows = await database.sql('select payload from outbox_message order by sequence_number');
  return rows.map(({ payload }) => JSON.parse(String(payload)));
}

describe('a change that revokes tokens', () => {
  it('leaves a message with the client, or with the resource server for all its clients', async () => {
    await using database = await openDatabase();
    const store = await database.openServer();
    const api = await addResourceServer(store);
    const client = await addClient(store, 'x', api);
    await store.clients.replaceSecret(client.id, client.secret ?? assert.fail('no secret'));
    await store.clients.delete(client.id + 99);
    assert.deepEqual(await messages(database), []);
    await store.clients.revokeTokens(client.id, 5);
    await store.clients.delete(client.id);
    await store.clients.delete(client.id);
    await store.resourceServers.delete(api.id);
    assert.deepEqual(await messages(database), [
      { clientRecordId: client.id },
      { clientRecordId: client.id },
      { resourceServerId: api.id },
    ]);
  });

  it('is processed at once and when concurrently issued tokens are stored, and by no other purge', async () => {
    await using database = await openDatabase();
    const store = await database.openServer();
    const api = await addResourceServer(store);
    const { id } = await addClient(store, 'x', api);
    const now = database.clock.now();
    const make = tokenFactory();
    const late = () =>
      store.accessTokens.insert(make({ clientRecordId: id, creationDate: now - 10, expires: 0 }));
    const purge = async (deletedBefore: number) =>
      (await store.purge({ expiredBefore: 0, deletedBefore, batchSize: 10 })).revokedTokens;
    await late();
    await store.clients.revokeTokens(id, now);
    assert.equal(await purge(now), 1);
    await late();
    assert.equal(await purge(now), 0);
    assert.equal(await purge(now + 1), 1);
    assert.deepEqual(await messages(database), []);
    await late();
    assert.equal(await purge(now + 1), 0);
  });

  it('is not processed again while resource servers must learn of a deletion, unless a row is left afterwards', async () => {
    await using database = await openDatabase();
    const store = await database.openServer();
    const api = await addResourceServer(store, 'jwt', { accessTokenFormat: 'jwt' });
    const { id } = await addClient(store, 'x', api);
    await store.clients.delete(id);
    const deletedBefore = database.clock.now() + 1;
    const purge = async (expiredBefore = 0) => {
      const report = await store.purge({ expiredBefore, deletedBefore, batchSize: 10 });
      return [report.revokedTokens, report.clients, report.outboxMessages];
    };
    const make = tokenFactory();
    const late = () => store.accessTokens.insert(make({ clientRecordId: id, expires: 0 }));
    const unlisted = deletedBefore + listedTime;
    await late();
    assert.deepEqual(await purge(), [1, 0, 0]);
    await late();
    assert.deepEqual(await purge(), [0, 0, 0], 'the work is done');
    assert.deepEqual(await purge(unlisted), [1, 1, 0]);
    assert.deepEqual(await purge(unlisted), [0, 0, 1]);
  });

  it('keeps its message when the purge is stopped', async () => {
    await using database = await openDatabase();
    const store = await database.openServer();
    const { id } = await addClient(store, 'x', await addResourceServer(store));
    await store.clients.delete(id);
    const options = { expiredBefore: 0, deletedBefore: database.clock.now() + 1, batchSize: 10 };
    await store.purge({ ...options, signal: AbortSignal.abort() });
    assert.equal((await messages(database)).length, 1);
    // The first purge removes the client, and the next one the message.
    await store.purge(options);
    await store.purge(options);
    assert.equal((await messages(database)).length, 0);
  });
});
