import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@watchword/testkit';
import { postgresqlServer } from '@watchword/testkit/postgresql';
import { openServerStore, type ServerStore } from '../../../store-sql/src/index.ts';
import { type Engine, engine, isKnown, isUrl, standFor } from './engine.ts';

/** Writes a database to a new file, or makes the database of PostgreSQL that stands for it. */
export type CopyDatabase = (file: string, on?: Engine) => Promise<void>;

/**
 * Returns a function that copies a migrated database, filled by `fill`. It is made at the first copy: once for a process, or
 * over PostgreSQL once for a run. A migration for each test would take longer than the test.
 *
 * @param name of the template, lower-case letters only
 */
export function databaseTemplate(name: string, fill: (store: ServerStore) => Promise<unknown>): CopyDatabase {
  let content: Promise<Buffer> | undefined;
  let template: Promise<string> | undefined;
  const make = async (database: string) => {
    const store = await openServerStore({ database, clock: new FakeClock() });
    await fill(store);
    // SQLite moves all commits from the log into the file when the last connection closes.
    await store.close();
  };
  return async (file, on = engine) => {
    if (on === 'sqlite') {
      content ??= contentOf(make);
      return writeFile(file, await content, { flag: 'wx', mode: 0o600 });
    }
    template ??= postgresqlServer().then((server) => server.template(name, make));
    await standFor(file, await template);
  };
}

async function contentOf(make: (file: string) => Promise<void>): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-template-'));
  try {
    const file = join(directory, 'template.db');
    await make(file);
    return await readFile(file);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Whether a test has made the database already. */
export function hasDatabase(file: string, on: Engine = engine): boolean {
  return isUrl(file) || (on === 'sqlite' ? existsSync(file) : isKnown(file));
}

/** Copies a database without records. */
export const copyMigrated: CopyDatabase = databaseTemplate('migrated', async () => {});
