import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addClient, addResourceServer, tokenFactory } from '@watchword/testkit';
import { testDatabase } from '../support/test-database.ts';

const { signal } = new AbortController();

describe('the count of active tokens', () => {
  it('has tokens without expiry and tokens that have not expired, from every part of the indexes', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const client = await addClient(store, 'client', await addResourceServer(store, 'api'));
    const newToken = tokenFactory();
    const now = database.clock.now();
    const expiries = [0, now + 1, now, now - 1].flatMap((expires) =>
      Array.from({ length: 510 }, () => expires),
    );
    await Promise.all(
      expiries.map((expires) => store.accessTokens.insert(newToken({ clientRecordId: client.id, expires }))),
    );
    assert.equal(await store.countActiveTokens(now, signal), 1020);
    assert.equal(await store.countActiveTokens(now + 1, signal), 510);
  });

  it('ends when its reader no longer needs it', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const ended = AbortSignal.abort(new Error('no longer needed'));
    await assert.rejects(store.countActiveTokens(0, ended), /no longer needed/);
  });
});

describe('the size of the database', () => {
  it('grows with what is stored', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const before = await store.size();
    assert.ok(before > 0);
    await addClient(store, 'client', await addResourceServer(store, 'api'));
    assert.ok((await store.size()) > before);
  });
});
