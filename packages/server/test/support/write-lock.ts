import { DatabaseSync } from 'node:sqlite';

/** Holds the database as another process might, so that nobody can write until it is disposed of. */
export function writeLock(database: string): Disposable {
  const other = new DatabaseSync(database);
  other.exec('begin immediate');
  return { [Symbol.dispose]: () => other.close() };
}
