import { DatabaseSync } from 'node:sqlite';

/** Locks the database like another process, so that no other connection can write until it is disposed of. */
export function writeLock(database: string): Disposable {
  const other = new DatabaseSync(database);
  other.exec('begin immediate');
  return { [Symbol.dispose]: () => other.close() };
}
