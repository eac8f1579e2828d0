import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'node:test';
import { copyMigrated } from '@watchword/server-testkit/database-template';
import { onlyOn } from '@watchword/server-testkit/engine';
import { type OpenStore, storeConformance } from '@watchword/testkit';
import { openServerStore } from '../src/index.ts';

const open: OpenStore = async (clock) => {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-store-'));
  const database = join(directory, 'test.db');
  await copyMigrated(database);
  const store = await openServerStore({ database, clock });
  return {
    ...store,
    async close() {
      await store.close();
      await rm(directory, { recursive: true });
    },
  };
};

describe('a store', onlyOn('sqlite', 'its store'), () => storeConformance('SQLite', open));
