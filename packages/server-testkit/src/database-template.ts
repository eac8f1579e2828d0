import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@watchword/testkit';
import { openSqliteServerStore, type ServerStore } from '../../store-sql/src/index.ts';

/** Writes a database to a file that is not there. */
export type CopyDatabase = (file: string) => Promise<void>;

/**
 * A migrated database that `fill` has filled, made once and then copied: to migrate each anew would cost a test more
 * than what it tests.
 */
export async function databaseTemplate(
  fill: (store: ServerStore) => Promise<unknown>,
): Promise<CopyDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-template-'));
  try {
    const file = join(directory, 'template.db');
    const store = await openSqliteServerStore({ file, clock: new FakeClock() });
    await fill(store);
    // What was committed is in the file itself once nobody has it open.
    await store.close();
    const content = await readFile(file);
    return (target) => writeFile(target, content, { flag: 'wx', mode: 0o600 });
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Copies a database without records. */
export const copyMigrated: CopyDatabase = await databaseTemplate(async () => {});
