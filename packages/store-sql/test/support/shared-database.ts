import { after } from 'node:test';
import type { ServerStore } from '../../src/index.ts';
import { type Emptying, emptying } from './emptying.ts';
import { type TestDatabase, testDatabase } from './test-database.ts';

interface Shared extends Emptying {
  readonly database: TestDatabase;
  readonly store: ServerStore;
}

/**
 * Returns what stands for {@link testDatabase} in a file whose tests neither open the database again nor look at its file: one
 * database with one open store, which is emptied after each test. Over PostgreSQL, sequences go on.
 */
export function sharedDatabase(): () => Promise<TestDatabase> {
  let shared: Promise<Shared> | undefined;

  async function open(): Promise<Shared> {
    const database = await testDatabase();
    const store = await database.openServer();
    return { ...(await emptying(await database.location())), database, store };
  }

  after(async () => {
    await (await shared)?.[Symbol.asyncDispose]();
    await (await shared)?.database[Symbol.asyncDispose]();
  });

  return async () => {
    shared ??= open();
    const { database, store, empty } = await shared;
    await store.refreshRegistry();
    return { ...database, openServer: async () => store, [Symbol.asyncDispose]: empty };
  };
}
