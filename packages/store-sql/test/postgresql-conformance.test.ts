import { after } from 'node:test';
import { copyMigrated } from '@watchword/server-testkit/database-template';
import { databaseFor, dropDatabases } from '@watchword/server-testkit/engine';
import { type OpenStore, storeConformance } from '@watchword/testkit';
import { openServerStore } from '../src/index.ts';
import { emptying } from './support/emptying.ts';

// One database for all tests, emptied after each: a database takes longer to make than most of them to run.
const file = 'postgresql-conformance';
let made: Promise<{ readonly database: string; readonly empty: () => Promise<unknown> }> | undefined;
after(() => dropDatabases(file));

async function make() {
  await copyMigrated(file, 'postgresql');
  const database = await databaseFor(file, 'postgresql');
  return { database, empty: await emptying(database) };
}

const open: OpenStore = async (clock) => {
  made ??= make();
  const { database, empty } = await made;
  const store = await openServerStore({ database, clock });
  return {
    ...store,
    async close() {
      await store.close();
      await empty();
    },
  };
};

storeConformance('PostgreSQL', open);
