import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@watchword/testkit';
import { openSqliteServerStore, type ServerStore } from '../../store-sql/src/index.ts';

/** Writes a database to a new file. */
export type CopyDatabase = (file: string) => Promise<void>;

/**
 * Makes a migrated database, filled by `fill`, and returns a function that copies it. A migration for each test would take
 * longer than the test.
 */
export async function databaseTemplate(
  fill: (store: ServerStore) => Promise<unknown>,
): Promise<CopyDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-template-'));
  try {
    const file = join(directory, 'template.db');
    const store = await openSqliteServerStore({ file, clock: new FakeClock() });
    await fill(store);
    // SQLite moves all commits from the log into the file when the last connection closes.
    await store.close();
    const content = await readFile(file);
    return (target) => writeFile(target, content, { flag: 'wx', mode: 0o600 });
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Copies a database without records. */
export const copyMigrated: CopyDatabase = await databaseTemplate(async () => {});
