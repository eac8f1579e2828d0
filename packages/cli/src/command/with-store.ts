import type { Configuration } from '@watchword/server/config/settings';
import { systemClock } from '@watchword/server/system';
import { openStore, type Store } from '@watchword/store-sql';
import { databaseOf, type NamedDatabase, type Options } from './options.ts';
import { createOutput, type Output } from './output.ts';
import { warnOfOwner } from './owners.ts';

export interface ToolContext {
  readonly store: Store;
  readonly output: Output;
  readonly configuration: Configuration;
  /** As the store was given it. */
  readonly named: NamedDatabase['named'];
  /** The database without its password, for the user. */
  readonly database: string;
}

/** Runs a tool on the database that the options name. The database is closed afterwards, also after an error. */
export async function withStore(
  options: Options,
  work: (context: ToolContext) => Promise<void>,
): Promise<void> {
  const { configuration, named, shown } = await databaseOf(options);
  const store = await openStore({ ...named, clock: systemClock, isMachineClock: true });
  try {
    const output = createOutput(options.json === true, options.io);
    await work({ store, output, configuration, named, database: shown });
  } finally {
    await store.close();
  }
  warnOfOwner(options.io, configuration.database);
}
