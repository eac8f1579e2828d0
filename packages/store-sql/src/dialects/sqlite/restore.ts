import { existsSync, linkSync, realpathSync, renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@watchword/protocol';
import { DatabaseOpenError } from '../../database-open-error.ts';
import type { EndedByRestore } from '../../purge/issued.ts';
import type { Store } from '../../store.ts';
import {
  copyDatabase,
  foldLog,
  leaveNoLog,
  removeDatabase,
  removeLogs,
  syncDirectory,
} from './copy-database.ts';
import { createDirectory, requireFile } from './files.ts';
import { migrateSqlite, openSqliteStore } from './open.ts';
import { openOwn } from './open-own.ts';
import { ServerLock } from './server-lock.ts';
import { hasNoRecords, toSqliteError } from './sqlite-errors.ts';
import { toOpenError } from './store-errors.ts';
import { usedNumbers } from './used-numbers.ts';

// Milliseconds to wait for another process's lock.
const busyTimeout = 10_000;

export interface RestoreOptions {
  readonly file: string;
  /** The backup, which is not changed. */
  readonly from: string;
  readonly clock: Clock;
  /** Keeps tokens, grants and consents, also those that ended since the backup. */
  readonly keepTokens: boolean;
}

export interface RestoreReport<Value> {
  readonly ended: EndedByRestore;
  readonly value: Value;
  /** The new path of the previous database, if it was damaged. */
  readonly damaged: string | undefined;
}

/**
 * Replaces the database by the backup. All changes are made in a copy, which then gets the name of the database. If the process
 * ends early, there is either the old or the new database, complete.
 *
 * @param prepare further changes of the copy before it gets the name
 * @throws DatabaseOpenError if a server uses the database, or the backup is not a backup or is damaged
 */
export async function restoreSqlite<Value>(
  { file, from, clock, keepTokens }: RestoreOptions,
  prepare: (store: Store, ended: EndedByRestore) => Promise<Value>,
): Promise<RestoreReport<Value>> {
  requireFile(from);
  createDirectory(file);
  const place = existsSync(file) ? realpathSync(file) : file;
  if (place === realpathSync(from)) {
    throw new DatabaseOpenError(`${from} is the database itself. Name the backup that is to replace it.`);
  }
  const lock = ServerLock.acquire(file);
  const staged = `${place}.restoring`;
  try {
    requireReplaceable(place);
    await copyDatabase(from, staged);
    await migrateSqlite(staged, 'all');
    foldLog(staged);
    const epoch = { now: clock.now(), endIssuedFrom: keepTokens ? undefined : 0, used: usedNumbers(place) };
    const prepared = await useStore(staged, clock, async (store) => {
      const ended = await store.beginEpoch(epoch);
      return { ended, value: await prepare(store, ended) };
    });
    foldLog(staged);
    if (!keepTokens) leaveNoEmptyPages(staged);
    return { ...prepared, damaged: replace(place, staged) };
  } finally {
    removeDatabase(staged);
    lock.release();
  }
}

/** Removed rows leave no data and no empty pages in the file. */
function leaveNoEmptyPages(file: string): void {
  const db = new DatabaseSync(file);
  try {
    db.exec('vacuum');
  } finally {
    db.close();
  }
}

async function useStore<Value>(
  file: string,
  clock: Clock,
  use: (store: Store) => Promise<Value>,
): Promise<Value> {
  const store = await openSqliteStore({ file, clock });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** A check before the work. It is repeated after the work. @throws DatabaseOpenError */
function requireReplaceable(place: string): void {
  if (!existsSync(place)) return;
  try {
    openOwn(place, { readOnly: true }).close();
  } catch (error) {
    const sqliteError = toSqliteError(error);
    if (!hasNoRecords(sqliteError)) throw toOpenError(place, sqliteError);
  }
}

/** The path at which the old database is kept, if it could not be read. */
function replace(place: string, staged: string): string | undefined {
  if (!existsSync(place)) {
    removeLogs(place);
    putInPlace(staged, place);
    return undefined;
  }
  const old = lockOld(place);
  if (old === undefined) return replaceDamaged(place, staged);
  putInPlace(staged, place);
  old.close();
  return undefined;
}

/** Prevents every change, because its journal would be used with the new database. `undefined` if the database is damaged. */
function lockOld(place: string): DatabaseSync | undefined {
  let old: DatabaseSync | undefined;
  try {
    old = openOwn(place, { timeout: busyTimeout });
    leaveNoLog(old);
    old.exec('begin exclusive');
    return old;
  } catch (error) {
    old?.close();
    const sqliteError = toSqliteError(error);
    if (hasNoRecords(sqliteError)) return undefined;
    throw toOpenError(place, sqliteError);
  }
}

function replaceDamaged(place: string, staged: string): string {
  const kept = `${place}.damaged`;
  removeDatabase(kept);
  linkSync(place, kept);
  if (existsSync(`${place}-wal`)) renameSync(`${place}-wal`, `${kept}-wal`);
  removeLogs(place);
  putInPlace(staged, place);
  return kept;
}

function putInPlace(staged: string, place: string): void {
  renameSync(staged, place);
  syncDirectory(place);
}
