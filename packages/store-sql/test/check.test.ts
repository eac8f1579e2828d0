import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addResourceServer, tokenFactory } from '@watchword/testkit';
import { testDatabase } from './support/test-database.ts';

it('a check of a database that is gone says so, and of one that is there resolves', async () => {
  await using database = await testDatabase();
  const store = await database.openServer();
  await store.check();
  await addResourceServer(store);
  await store.accessTokens.insert(tokenFactory()());
  const other = database.connect();
  other.exec('delete from configuration');
  await assert.rejects(store.check());
});
