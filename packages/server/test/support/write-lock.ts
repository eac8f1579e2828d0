import { DatabaseSync } from 'node:sqlite';
import { databaseFor, isUrl } from '@watchword/server-testkit/engine';
import { tableNames } from '@watchword/server-testkit/sql';
import { openTransaction } from '@watchword/testkit/postgresql';

/** Locks the database like another process, so that no other connection can write until it is disposed of. */
export async function writeLock(database: string): Promise<AsyncDisposable> {
  const location = await databaseFor(database);
  if (isUrl(location)) {
    const tables = await tableNames(location);
    return openTransaction(location, `lock table ${tables.join(', ')} in exclusive mode`);
  }
  const other = new DatabaseSync(location);
  other.exec('begin immediate');
  return { [Symbol.asyncDispose]: async () => other.close() };
}
