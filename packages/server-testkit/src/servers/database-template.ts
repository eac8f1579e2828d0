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

const migrated = 'migrated';
const nothing = async () => {};

/**
 * Returns a function that copies a migrated database, filled by `fill`. It is made at the first copy: once for a process, or
 * over PostgreSQL once for a run, and there from the one without records. A migration takes longer than most tests.
 *
 * @param name of the template, lower-case letters only
 */
export function databaseTemplate(name: string, fill: (store: ServerStore) => Promise<unknown>): CopyDatabase {
  let content: Promise<Buffer> | undefined;
  let template: Promise<string> | undefined;
  const make = filledBy(fill);
  return async (file, on = engine) => {
    if (on === 'sqlite') {
      content ??= contentOf(make);
      return writeFile(file, await content, { flag: 'wx', mode: 0o600 });
    }
    template ??= templateOf(name, make);
    await standFor(file, await template);
  };
}

type Make = (database: string) => Promise<void>;

function filledBy(fill: (store: ServerStore) => Promise<unknown>): Make {
  return async (database) => {
    const store = await openServerStore({ database, clock: new FakeClock() });
    await fill(store);
    // SQLite moves all commits from the log into the file when the last connection closes.
    await store.close();
  };
}

async function templateOf(name: string, make: Make): Promise<string> {
  const server = await postgresqlServer();
  const from = name === migrated ? undefined : await templateOf(migrated, filledBy(nothing));
  return server.template(name, make, from);
}

async function contentOf(make: Make): Promise<Buffer> {
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
export const copyMigrated: CopyDatabase = databaseTemplate(migrated, nothing);
