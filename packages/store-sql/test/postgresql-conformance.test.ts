import { after } from 'node:test';
import type { Clock } from '@watchword/protocol';
import { copyMigrated } from '@watchword/server-testkit/database-template';
import { databaseFor, dropDatabases } from '@watchword/server-testkit/engine';
import { storeConformance } from '@watchword/testkit';
import { openServerStore, type ServerStore } from '../src/index.ts';
import { emptying } from './support/emptying.ts';

const file = 'postgresql-conformance';

interface Opened {
  readonly store: ServerStore;
  readonly empty: () => Promise<unknown>;
}

// One database and one store for all tests, emptied after each: to make and open them takes longer than most tests.
let opened: Promise<Opened> | undefined;
let clock: Clock = Date;

async function open(): Promise<Opened> {
  await copyMigrated(file, 'postgresql');
  const database = await databaseFor(file, 'postgresql');
  const empty = await emptying(database);
  return { store: await openServerStore({ database, clock: { now: () => clock.now() } }), empty };
}

after(async () => {
  await (await opened)?.store.close();
  await dropDatabases(file);
});

storeConformance('PostgreSQL', async (clockOfTest) => {
  clock = clockOfTest;
  opened ??= open();
  const { store, empty } = await opened;
  await store.refreshRegistry();
  return {
    ...store,
    async close() {
      await empty();
    },
  };
});
