import { resolve } from 'node:path';
import { type Configuration, environmentName } from '@watchword/server/config/settings';
import { printable } from '@watchword/server/runtime/log/printable';
import { systemClock } from '@watchword/server/system';
import { dialectOf, openStore, type Store } from '@watchword/store-sql';
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
  const { configuration, named, shown, origin } = await databaseOf(options);
  if (options.json !== true && isUnnoticed(origin, options))
    options.io.stderr.write(`${inWords(shown, origin)}\n`);
  const store = await openStore({ ...named, clock: systemClock, isMachineClock: true });
  try {
    const output = createOutput(options.json === true, options.io);
    await work({ store, output, configuration, named, database: shown });
  } finally {
    await store.close();
  }
  warnOfOwner(options.io, configuration.database);
}

/** Whether the command line does not show the database: a variable that is missing would go unnoticed, and at a terminal one of yesterday. */
function isUnnoticed(origin: NamedDatabase['origin'], { io }: Options): boolean {
  return origin === 'default' || (origin !== 'flag' && io.stderr.isTTY === true);
}

function inWords(database: string, origin: NamedDatabase['origin']): string {
  const place = dialectOf(database) === 'sqlite' ? resolve(database) : database;
  const source = {
    flag: 'as named',
    environment: `named by ${environmentName('database')} or ${environmentName('databaseUrlFile')}`,
    file: 'named by the configuration file',
    default: 'the default; --database names another one',
  }[origin];
  return printable(`Database: ${place} (${source})`);
}
