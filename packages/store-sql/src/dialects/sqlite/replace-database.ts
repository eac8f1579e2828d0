import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { leaveNoLog, removeLogs, syncDirectory } from './copy-database.ts';
import { openOwn } from './open-own.ts';
import { OpenedFile } from './opened-files.ts';
import { hasNoRecords, toSqliteError } from './sqlite-errors.ts';
import { toOpenError } from './store-errors.ts';

// Milliseconds to wait for another process's lock.
const busyTimeout = 10_000;
const logs = ['-wal', '-journal'];
const mark = '.replaced-';

export interface Replaced {
  /** The new path of what was replaced; `undefined` if there was nothing. */
  readonly kept: string | undefined;
  /** Whether it could not be read. */
  readonly isDamaged: boolean;
}

/** Nothing is changed. @throws DatabaseOpenError if the database is there and must not be replaced */
export function isReadable(place: string): boolean {
  if (!existsSync(place)) return false;
  try {
    openOwn(place, { readOnly: true }).close();
    return true;
  } catch (error) {
    return unreadable(place, error);
  }
}

/**
 * Gives the staged database the name of another one, which is kept beside it under a dated name. If the process ends early, one of
 * the two has the name, complete.
 *
 * @param now epoch milliseconds
 * @throws DatabaseOpenError if another process uses the one that is to be replaced
 */
export function replaceDatabase(place: string, staged: string, now: number): Replaced {
  // One that cannot be read is not opened for writes, which would change its log.
  const old = isReadable(place) ? lockOld(place) : undefined;
  try {
    const isFound = existsSync(place);
    const kept = keepBeside(place, now);
    // Windows renames no file over an open one.
    if (process.platform === 'win32' && old?.isOpen) old.close();
    renameSync(staged, place);
    syncDirectory(place);
    return { kept, isDamaged: isFound && old === undefined };
  } finally {
    if (old?.isOpen) old.close();
  }
}

/** Prevents every change, because its journal would be used with the new database. `undefined` if it cannot be read. */
function lockOld(place: string): DatabaseSync | undefined {
  let old: DatabaseSync | undefined;
  try {
    old = openOwn(place, { timeout: busyTimeout });
    leaveNoLog(old);
    old.exec('begin exclusive');
    return old;
  } catch (error) {
    old?.close();
    unreadable(place, error);
    return undefined;
  }
}

/** @returns `false` for damage, and for a file without tables @throws DatabaseOpenError for any other error */
function unreadable(place: string, error: unknown): false {
  const sqliteError = toSqliteError(error);
  if (hasNoRecords(sqliteError)) return false;
  throw toOpenError(place, sqliteError);
}

/** Until the new database has its name, the old one has both. @returns the second name, or that of a log without its database */
function keepBeside(place: string, now: number): string | undefined {
  const kept = freeName(place, now);
  const found = existsSync(place);
  if (found) linkSync(place, kept);
  const filled = logs.filter((log) => (statSync(`${place}${log}`, { throwIfNoEntry: false })?.size ?? 0) > 0);
  for (const log of filled) renameSync(`${place}${log}`, `${kept}${log}`);
  removeLogs(place);
  if (found) return kept;
  return filled[0] === undefined ? undefined : `${kept}${filled[0]}`;
}

/** Its time has no colon, which Windows has in no name. */
function freeName(place: string, now: number): string {
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(':', '');
  const name = `${place}${mark}${time}Z`;
  const isFree = (file: string) => ['', ...logs].every((suffix) => !existsSync(`${file}${suffix}`));
  for (let number = 2, free = name; ; number += 1) {
    if (isFree(free)) return free;
    free = `${name}-${number}`;
  }
}

/** Takes the second name from a database that an interrupted restore did not replace. */
export function endReplacement(place: string): void {
  if ((statSync(place, { throwIfNoEntry: false })?.nlink ?? 1) < 2) return;
  for (const name of readdirSync(dirname(place))) {
    if (!name.startsWith(`${basename(place)}${mark}`)) continue;
    const kept = join(dirname(place), name);
    if (!new OpenedFile(kept).is(place)) continue;
    for (const log of logs) {
      if (existsSync(`${kept}${log}`) && !existsSync(`${place}${log}`))
        renameSync(`${kept}${log}`, `${place}${log}`);
    }
    rmSync(kept);
  }
}
