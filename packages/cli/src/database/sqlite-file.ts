import { dialectOf } from '@watchword/store-sql';
import { databaseOf, type Options } from '../command/options.ts';
import { UsageError } from '../command/usage-error.ts';

/** The file of a command that works on SQLite only. @throws UsageError with this advice if the database is of PostgreSQL */
export async function sqliteFileOf(options: Options, advice: string): Promise<string> {
  const { configuration } = await databaseOf(options);
  if (dialectOf(configuration.database) !== 'sqlite') throw new UsageError(advice);
  return configuration.database;
}
