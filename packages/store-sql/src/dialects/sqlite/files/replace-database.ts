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
// The old database without a second name, until the new one has its name.
const moved = '.replacing';

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
 * the two has the name, complete; without hard links, {@link endReplacement} gives it back.
 *
 * @param now epoch milliseconds
 * @throws DatabaseOpenError if another process uses the one that is to be replaced
 */
export function replaceDatabase(place: string, staged: string, now: number): Replaced {
  // One that cannot be read is not opened for writes, which would change its log.
  const old = isReadable(place) ? lockOld(place) : undefined;
  try {
    const isFound = existsSync(place);
    const kept = freeName(place, now);
    const isLinked = isFound && isDone(() => linkSync(place, kept));
    const log = moveLogs(place, isFound && !isLinked ? `${place}${moved}` : kept);
    // Windows renames no file that is open, and none over it.
    if (process.platform === 'win32' && old?.isOpen) old.close();
    if (isFound && !isLinked) renameSync(place, `${place}${moved}`);
    renameSync(staged, place);
    if (isFound && !isLinked) moveDatabase(`${place}${moved}`, kept);
    syncDirectory(place);
    return { kept: isFound ? kept : log, isDamaged: isFound && old === undefined };
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

/** @returns `false` after an error */
function isDone(step: () => void): boolean {
  try {
    step();
    return true;
  } catch {
    return false;
  }
}

/** SQLite would use them with the new database. @returns the new name of one that has content */
function moveLogs(place: string, to: string): string | undefined {
  const filled = logs.filter((log) => (statSync(`${place}${log}`, { throwIfNoEntry: false })?.size ?? 0) > 0);
  for (const log of filled) renameSync(`${place}${log}`, `${to}${log}`);
  removeLogs(place);
  return filled[0] === undefined ? undefined : `${to}${filled[0]}`;
}

/** With its logs, before it. A file that is there is not replaced. */
function moveDatabase(from: string, to: string): void {
  for (const suffix of [...logs, '']) {
    if (existsSync(`${from}${suffix}`) && !existsSync(`${to}${suffix}`))
      renameSync(`${from}${suffix}`, `${to}${suffix}`);
  }
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

/**
 * Ends what an interrupted restore has left: gives the old database its name back, or keeps it under a dated name if the new one has
 * the name; and takes a second name from one that was not replaced.
 */
export function endReplacement(place: string): void {
  const old = `${place}${moved}`;
  const isReplaced = existsSync(old) && existsSync(place);
  moveDatabase(old, isReplaced ? freeName(place, statSync(old).mtimeMs) : place);
  if ((statSync(place, { throwIfNoEntry: false })?.nlink ?? 1) < 2) return;
  for (const name of readdirSync(dirname(place))) {
    if (!name.startsWith(`${basename(place)}${mark}`)) continue;
    const kept = join(dirname(place), name);
    if (!new OpenedFile(kept).is(place)) continue;
    moveDatabase(kept, place);
    rmSync(kept, { force: true });
  }
}
