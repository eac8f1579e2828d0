import { closeSync, existsSync, fsyncSync, openSync, renameSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { Kysely } from 'kysely';
import { DatabaseOpenError } from '../../schema/database-open-error.ts';
import { applyMigrations, type MigrationExtent } from '../../schema/migrate.ts';
import type { Schema } from '../../schema/schema.ts';
import { sqliteColumnTypes } from './column-types.ts';
import { makeTables } from './database-script.ts';
import { sqliteDialect } from './dialect.ts';
import { makeFile, removeDatabase, removeLogs, syncDirectory } from './files/copy-database.ts';
import { createDirectory, placeOf } from './files/files.ts';
import { applicationId } from './files/open-own.ts';
import { openErrorOf } from './files/store-errors.ts';
import { HeldError, ServerLock } from './server-lock.ts';
import { localConnection, shared } from './threads/reader.ts';

// Milliseconds to wait for another process that makes the database, for its end afterwards, and between two looks.
const patience = 10_000;
const grace = 500;
const interval = 20;

/** The lock of a database that is there. */
export interface LockedDatabase {
  readonly lock: ServerLock;
  /** The migrations of a database that was made just now; empty if it was there. */
  readonly made: readonly string[];
}

/**
 * Takes the lock of the database, which is made if there is none. It gets its name when it is complete.
 *
 * @param release as for {@link ServerLock.acquire}
 * @throws DatabaseOpenError
 */
export async function lockDatabase(
  file: string,
  extent: MigrationExtent,
  release?: string,
): Promise<LockedDatabase> {
  createDirectory(file);
  const lock = await whileMade(file, () => ServerLock.acquire(file, release));
  try {
    return { lock, made: existsSync(file) ? [] : await makeDatabase(file, extent) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Makes the database if there is none. Of several processes at once, one makes it. @returns the migrations that it made */
export async function makeIfMissing(file: string, extent: MigrationExtent): Promise<readonly string[]> {
  if (existsSync(file)) return [];
  const { lock, made } = await lockDatabase(file, extent);
  lock.release();
  return made;
}

/** Tries again while another process has the lock and no database is there, because it makes one. */
async function whileMade(file: string, acquire: () => ServerLock): Promise<ServerLock> {
  let end = existsSync(file) ? 0 : performance.now() + patience;
  for (;;) {
    try {
      return acquire();
    } catch (error) {
      if (!(error instanceof HeldError) || performance.now() > end) throw error;
    }
    if (existsSync(file)) end = Math.min(end, performance.now() + grace);
    await setTimeout(interval);
  }
}

/** @param file that is missing, and whose lock this process has */
async function makeDatabase(file: string, extent: MigrationExtent): Promise<readonly string[]> {
  const place = placeOf(file);
  requireNoLog(place);
  const staged = `${place}.new`;
  try {
    removeDatabase(staged);
    makeFile(staged);
    const migrated = await migrateAlone(staged, extent);
    syncFile(staged);
    removeLogs(place);
    renameSync(staged, place);
    syncDirectory(place);
    return migrated;
  } catch (error) {
    throw openErrorOf(file, error);
  } finally {
    removeDatabase(staged);
  }
}

/** Of a file that only this process knows, so that nothing but its end must be durable. */
async function migrateAlone(staged: string, extent: MigrationExtent): Promise<readonly string[]> {
  const db = new DatabaseSync(staged);
  try {
    db.exec(
      `pragma application_id = ${applicationId}; pragma journal_mode = memory; pragma synchronous = off`,
    );
    const migrated = extent === 'all' ? await makeTables(db) : await migrateSome(db, extent);
    db.exec('pragma journal_mode = wal');
    return migrated;
  } finally {
    db.close();
  }
}

function migrateSome(db: DatabaseSync, extent: MigrationExtent): Promise<readonly string[]> {
  const kysely = new Kysely<Schema>({ dialect: sqliteDialect(shared(localConnection(db))) });
  return applyMigrations(kysely, sqliteColumnTypes, extent);
}

/** Commits can be in a log without its database. @throws DatabaseOpenError */
function requireNoLog(place: string): void {
  for (const log of [`${place}-wal`, `${place}-journal`]) {
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) continue;
    throw new DatabaseOpenError(
      `There is no database at ${place}, but its log ${log}, which can have the last commits. Nothing was changed. Put the database back beside it, or move the log away to begin with a new database.`,
    );
  }
}

function syncFile(file: string): void {
  const opened = openSync(file, 'r+');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
