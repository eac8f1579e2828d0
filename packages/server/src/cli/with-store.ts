import { openSqliteStore, type Store } from '@watchword/store-sql';
import type { Configuration } from '../config/settings.ts';
import { systemClock } from '../system.ts';
import { configurationOf, type Options } from './options.ts';
import { createOutput, type Output } from './output.ts';

export interface ToolContext {
  readonly store: Store;
  readonly output: Output;
  readonly configuration: Configuration;
}

/** Runs a tool on the database that the options name. The database is closed afterwards, also after an error. */
export async function withStore(
  options: Options,
  work: (context: ToolContext) => Promise<void>,
): Promise<void> {
  const { configuration } = await configurationOf(options);
  const store = await openSqliteStore({ file: configuration.database, clock: systemClock });
  try {
    await work({ store, output: createOutput(options.json === true, options.io), configuration });
  } finally {
    await store.close();
  }
}
