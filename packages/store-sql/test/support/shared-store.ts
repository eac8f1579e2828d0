import { after } from 'node:test';
import type { Clock } from '@watchword/protocol';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { databaseFor, dropDatabases, type Engine } from '@watchword/server-testkit/servers/engine';
import type { OpenStore } from '@watchword/testkit';
import { openServerStore, type ServerStore } from '../../src/index.ts';
import { type Emptying, emptying } from './emptying.ts';

interface Opened extends Emptying {
  readonly store: ServerStore;
}

/**
 * Opens one store for all tests of a file, and empties it after each: to make and open a database takes longer than most tests.
 *
 * @param place returns the file of the database, for the first test
 */
export function sharedStore(place: () => string, engine: Engine): OpenStore {
  let opened: Promise<Opened> | undefined;
  let clock: Clock = Date;

  async function open(): Promise<Opened> {
    const file = place();
    await copyMigrated(file, engine);
    const database = await databaseFor(file, engine);
    const emptied = await emptying(database);
    return { ...emptied, store: await openServerStore({ database, clock: { now: () => clock.now() } }) };
  }

  after(async () => {
    await (await opened)?.[Symbol.asyncDispose]();
    await (await opened)?.store.close();
    await dropDatabases(place());
  });

  return async (clockOfTest) => {
    clock = clockOfTest;
    opened ??= open();
    const { store, empty } = await opened;
    await store.refreshRegistry();
    return { ...store, close: empty };
  };
}
