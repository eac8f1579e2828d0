import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { DatabaseOpenError } from '../../../schema/database-open-error.ts';
import { findDamage } from './damage.ts';
import { requireFile } from './files.ts';
import { openOwn, requireOwnLogs } from './open-own.ts';
import { makeOwnedFile } from './owners.ts';
import { asOwnerOf } from './rights.ts';
import { codes, damagedError, toSqliteError } from './sqlite-errors.ts';
import { toOpenError } from './store-errors.ts';

// Milliseconds to wait for another process's lock.
const busyTimeout = 10_000;
// Number of pages to copy before the event loop continues.
const pagesAtATime = 1000;

/** A database that is open for a copy, as it was at one time. Other processes can write meanwhile. */
interface Snapshot extends Disposable {
  readonly file: string;
  readonly db: DatabaseSync;
}

/** @throws DatabaseOpenError */
export function openSnapshot(file: string): Snapshot {
  let db: DatabaseSync | undefined;
  try {
    db = openOwn(file, { readOnly: true, timeout: busyTimeout });
    // Without it, each write of another process begins the copy again. It also opens all files, for whoever acts as another user then.
    db.exec('begin');
    db.prepare('select count(*) from sqlite_schema').get();
    const opened = db;
    return { file, db, [Symbol.dispose]: () => opened.close() };
  } catch (error) {
    db?.close();
    throw toOpenError(file, toSqliteError(error));
  }
}

/**
 * Copies a snapshot into a new file.
 *
 * @param like as for {@link makeOwnedFile}
 * @throws DatabaseOpenError also if the copied database is damaged
 */
export async function copySnapshot({ file: from, db }: Snapshot, to: string, like?: string): Promise<void> {
  removeDatabase(to);
  makeFile(to, like);
  try {
    await backup(db, to, { rate: pagesAtATime });
    foldLog(to);
  } catch (error) {
    removeDatabase(to);
    const sqliteError = toSqliteError(error);
    throw toOpenError(sqliteError.code === codes.full ? to : from, sqliteError);
  }
  const findings = findDamage(to);
  if (findings.length === 0) return;
  removeDatabase(to);
  throw toOpenError(from, toSqliteError(damagedError(findings[0])));
}

/** As {@link makeOwnedFile}. @throws DatabaseOpenError */
export function makeFile(file: string, like?: string): void {
  try {
    makeOwnedFile(file, like);
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

function cannotWrite(file: string, error: unknown): DatabaseOpenError {
  return new DatabaseOpenError(
    `Cannot write ${file}: ${toSqliteError(error).message}. Create the directory, correct its permissions, or name another file.`,
  );
}

/** Moves the content of the write-ahead log into the file, and removes the log. @throws Error if another process uses it */
export function foldLog(file: string): void {
  requireOwnLogs(file);
  const db = new DatabaseSync(file, { timeout: busyTimeout });
  try {
    leaveNoLog(db);
  } finally {
    db.close();
  }
}

/** The same on an open connection. */
export function leaveNoLog(db: DatabaseSync): void {
  const mode = db.prepare('pragma journal_mode = delete').get()?.journal_mode;
  if (mode !== 'delete') throw Object.assign(new Error('the database is in use'), { errcode: codes.busy });
}

/** Removes the database with all files that SQLite can have made next to it. */
export function removeDatabase(file: string): void {
  rmSync(file, { force: true });
  removeLogs(file);
}

/** Removes only the files next to it. SQLite would use a log without its database as the log of the next one with its name. */
export function removeLogs(file: string): void {
  for (const suffix of ['-journal', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}

/** Makes a new name in a directory durable. */
export function syncDirectory(file: string): void {
  if (process.platform === 'win32') return;
  const directory = openSync(dirname(file), 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

export interface BackupReport {
  readonly bytes: number;
}

/**
 * Writes a backup while a server runs. It gets its name when it is complete and was read without finding damage.
 * A process of root writes it with the rights of the owner of its directory.
 *
 * @throws DatabaseOpenError
 */
export async function backupSqlite(file: string, to: string): Promise<BackupReport> {
  requireFile(file);
  using snapshot = openSnapshot(file);
  return asOwnerOf([to], () => writeBackup(snapshot, to));
}

async function writeBackup(snapshot: Snapshot, to: string): Promise<BackupReport> {
  if (existsSync(to)) {
    throw new DatabaseOpenError(
      `There is a file ${to} already, and a backup replaces none. Name another, or remove that one.`,
    );
  }
  const room = `${to}.partial`;
  const partial = join(makeRoom(room), basename(to));
  try {
    await copySnapshot(snapshot, partial);
    renameSync(partial, to);
  } finally {
    removeDatabase(partial);
    rmdirSync(room);
  }
  syncDirectory(to);
  return { bytes: statSync(to).size };
}

/**
 * A directory for a backup that is not complete. Where others can make files, such as in `/tmp`, one of them could put a log beside it, which
 * SQLite would take into it.
 */
function makeRoom(room: string): string {
  try {
    const found = lstatSync(room, { throwIfNoEntry: false });
    // A backup that was interrupted has left it.
    if (found?.isDirectory() && isPrivate(found)) return room;
    // An earlier release left a file.
    rmSync(room, { force: true });
    mkdirSync(room, { mode: 0o700 });
    return room;
  } catch (error) {
    throw cannotWrite(room, error);
  }
}

function isPrivate({ uid, mode }: Stats): boolean {
  const self = process.geteuid?.();
  return self === undefined || (uid === self && (mode & 0o077) === 0);
}
