import { copyFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { TestDatabase } from './test-database.ts';

/** The files as they would be after a power failure at this time. */
export function snapshot(database: TestDatabase, name: string): DatabaseSync {
  copyFileSync(`${database.file}-wal`, `${database.path(name)}-wal`);
  copyFileSync(database.file, database.path(name));
  return new DatabaseSync(database.path(name));
}
