import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { databaseFor } from '@watchword/server-testkit/servers/engine';
import { migrate, openStore } from '../../src/index.ts';
import { testDatabase } from '../support/test-database.ts';

describe('the key of all subjects', () => {
  it('is different in each database, and does not change when the database is opened again', async () => {
    await using database = await testDatabase();
    const keyOf = async (file: string) => {
      const location = await databaseFor(file);
      await migrate({ database: location, extent: 'all' });
      const store = await openStore({ database: location, clock: database.clock });
      const key = Buffer.from(await store.subjectKey.read()).toString('hex');
      await store.close();
      return key;
    };
    const first = await keyOf(database.file);
    assert.match(first, /^[0-9a-f]{64}$/);
    assert.equal(await keyOf(database.file), first);
    assert.notEqual(await keyOf(database.path('other.db')), first);
  });
});
