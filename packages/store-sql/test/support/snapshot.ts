import { copyFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { TestDatabase } from './test-database.ts';

/** What a machine that lost its power at this moment would find. */
export function snapshot(database: TestDatabase, name: string): DatabaseSync {
  copyFileSync(`${database.file}-wal`, `${database.path(name)}-wal`);
  copyFileSync(database.file, database.path(name));
  return new DatabaseSync(database.path(name));
}
