import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyMigrated } from '@watchword/server-testkit/database-template';
import { storeConformance } from '@watchword/testkit';
import { openSqliteServerStore } from '../src/index.ts';

storeConformance('SQLite', async (clock) => {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-store-'));
  const file = join(directory, 'test.db');
  await copyMigrated(file);
  const store = await openSqliteServerStore({ file, clock });
  return {
    ...store,
    async close() {
      await store.close();
      await rm(directory, { recursive: true });
    },
  };
});
