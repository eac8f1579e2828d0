import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreUnavailableError } from '@watchword/protocol';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { newResourceServer, tokenFactory } from '@watchword/testkit';
import { testDatabase } from '../support/test-database.ts';

const only = onlyOn('sqlite', 'locks of the file');

describe('the write lock of another process', only, () => {
  it('makes writes unavailable when it lasts too long; lookups continue, and writes work again afterwards', async () => {
    await using database = await testDatabase();
    const { accessTokens } = await database.openServer();
    const make = tokenFactory();
    const [before, refused, after] = [make(), make(), make()];
    await accessTokens.insert(before);
    const other = database.connect();
    other.exec('begin immediate');
    const insert = accessTokens.insert(refused);
    assert.notEqual(await accessTokens.find(before.id), undefined);
    await assert.rejects(insert, StoreUnavailableError);
    other.exec('rollback');
    await accessTokens.insert(after);
    assert.notEqual(await accessTokens.find(after.id), undefined);
    assert.equal(await accessTokens.find(refused.id), undefined);
  });

  it('delays writes when it is short', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const other = database.connect();
    other.exec('begin immediate');
    const token = tokenFactory()();
    const insert = store.accessTokens.insert(token);
    // One lookup later the write has been sent to the writer.
    await store.accessTokens.find(token.id);
    other.exec('rollback');
    await insert;
    assert.notEqual(await store.accessTokens.find(token.id), undefined);
  });

  it('makes a registration unavailable when it lasts too long, and leaves no part of it', async () => {
    await using database = await testDatabase();
    const { resourceServers } = await database.openServer();
    const other = database.connect();
    other.exec('begin immediate');
    await assert.rejects(resourceServers.create(newResourceServer(), ['api']), StoreUnavailableError);
    other.exec('rollback');
    assert.deepEqual(await resourceServers.list({ limit: 10 }), []);
    assert.notEqual(await resourceServers.create(newResourceServer(), ['api']), undefined);
  });
});
