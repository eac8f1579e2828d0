import { existsSync, lstatSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseOpenError } from '../../schema/database-open-error.ts';
import type { SeenServers } from '../../schema/migrate.ts';
import { placeOf } from './files/files.ts';
import { OpenedFile } from './files/opened-files.ts';
import { makeOwnedFile } from './files/owners.ts';
import { endReplacement } from './files/replace-database.ts';
import { codes, isDamage, type SqliteError, toSqliteError } from './files/sqlite-errors.ts';
import { toOpenError } from './files/store-errors.ts';

/**
 * Prevents a second server on the same database file. The lock is the write lock of SQLite on a small file next to the
 * database. The operating system releases it when the process ends for any reason, and it works on every system that
 * SQLite supports. Command-line tools do not take it.
 */
export class ServerLock {
  readonly #databaseFile: string;
  readonly #name: string | undefined;
  #file: OpenedFile;
  #db: DatabaseSync;

  private constructor(db: DatabaseSync, databaseFile: string, name: string | undefined) {
    this.#db = db;
    this.#databaseFile = databaseFile;
    this.#name = name;
    this.#file = new OpenedFile(lockFileOf(databaseFile));
  }

  /**
   * @param release of the server that starts; a tool that keeps servers away has none
   * @throws DatabaseOpenError if another server has the lock; the message names that process
   */
  static acquire(databaseFile: string, release?: string): ServerLock {
    const lockFile = lockFileOf(databaseFile);
    let db: DatabaseSync | undefined;
    try {
      requireNoLink(lockFile);
      makeLockFile(lockFile, databaseFile);
      db = new DatabaseSync(lockFile, { timeout: 0 });
      db.exec('pragma synchronous = off');
      const now = new Date().toISOString();
      db.exec('begin immediate');
      db.exec('create table if not exists holder (id integer primary key, pid integer, since text)');
      db.exec('create table if not exists last_server (id integer primary key, release text, since text)');
      db.prepare('insert or replace into holder values (1, ?, ?)').run(process.pid, now);
      if (release !== undefined)
        db.prepare('insert or replace into last_server values (1, ?, ?)').run(release, now);
      db.exec('commit');
      db.exec('begin immediate');
      requireOneName(databaseFile);
      return new ServerLock(db, databaseFile, release);
    } catch (error) {
      if (error instanceof DatabaseOpenError) {
        db?.close();
        throw error;
      }
      const sqliteError = toSqliteError(error);
      const held = db !== undefined && isHeld(sqliteError.code) ? heldError(databaseFile, db) : undefined;
      db?.close();
      throw held ?? lockError(databaseFile, lockFile, sqliteError);
    }
  }

  /**
   * Takes the lock again if its file was deleted or replaced, because another server could start.
   *
   * @throws HeldError if another server has started by now
   */
  keep(): void {
    if (this.#file.isInPlace) return;
    try {
      const taken = ServerLock.acquire(this.#databaseFile, this.#name);
      this.#db.close();
      [this.#db, this.#file] = [taken.#db, taken.#file];
    } catch (error) {
      // Without a file that can be made, no other server can start either.
      if (error instanceof HeldError) throw error;
    }
  }

  release(): void {
    this.#db.close();
  }
}

/** Nothing is written. @throws HeldError if a server has the lock now */
export function requireNoServer(databaseFile: string): void {
  const lockFile = lockFileOf(databaseFile);
  if (!existsSync(lockFile)) return;
  requireNoLink(lockFile);
  const db = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    db.exec('begin immediate');
    db.exec('rollback');
  } catch (error) {
    // What else is wrong with the file, the lock itself reports.
    if (isHeld(toSqliteError(error).code)) throw heldError(databaseFile, db);
  } finally {
    db.close();
  }
}

/** Another server has the lock. */
export class HeldError extends DatabaseOpenError {}

/** The server that started last on the database, from the file next to it. Nothing is written. */
export function lastServer(databaseFile: string): SeenServers | undefined {
  const lockFile = lockFileOf(databaseFile);
  if (!existsSync(lockFile)) return undefined;
  const db = new DatabaseSync(lockFile, { readOnly: true, timeout: 2000 });
  try {
    const found = db.prepare('select release, since from last_server where id = 1').get();
    if (found === undefined) return undefined;
    return {
      release: String(found.release),
      connections: undefined,
      since: Date.parse(String(found.since)),
    };
  } catch {
    // A tool made the file, or a server that did not write its release.
    return undefined;
  } finally {
    db.close();
  }
}

function lockFileOf(databaseFile: string): string {
  return `${placeOf(databaseFile)}.lock`;
}

/** SQLite would follow it. As root it would make, or write, a file that the owner of the directory has chosen. @throws DatabaseOpenError */
function requireNoLink(lockFile: string): void {
  if (lstatSync(lockFile, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw new DatabaseOpenError(
    `${lockFile}, which keeps a second server from the database, is a symbolic link: expected a file. Nothing was changed. Find out who made the link, remove it, and start again.`,
  );
}

/** With the owner of the database, or of its directory. Where it cannot be made, SQLite finds the reason. */
function makeLockFile(lockFile: string, databaseFile: string): void {
  if (existsSync(lockFile)) return;
  try {
    makeOwnedFile(lockFile, existsSync(databaseFile) ? databaseFile : undefined);
  } catch {}
}

/** Each name has its own lock. @throws DatabaseOpenError */
function requireOneName(databaseFile: string): void {
  endReplacement(placeOf(databaseFile));
  const found = statSync(databaseFile, { throwIfNoEntry: false });
  if (!found?.isFile() || found.nlink < 2) return;
  throw new DatabaseOpenError(
    `The database ${databaseFile} has a second name (a hard link), under which another server could damage it. Remove the other name, or copy the file.`,
  );
}

function isHeld(code: number): boolean {
  return code === codes.busy || code === codes.locked;
}

function heldError(databaseFile: string, db: DatabaseSync): HeldError {
  const holder = readHolder(db);
  const who =
    holder === undefined ? 'Another server' : `Another server (process ${holder.pid}, since ${holder.since})`;
  return new HeldError(
    `${who} already uses the database ${databaseFile}. One embedded database serves one server: end the other one, or name another file with --database.`,
  );
}

/** A disk that is full or read-only concerns the database. Only damage is of the lock file alone. */
function lockError(databaseFile: string, lockFile: string, error: SqliteError): DatabaseOpenError {
  if (!isDamage(error)) {
    return toOpenError(databaseFile, { ...error, message: `${error.message}, at ${lockFile}` });
  }
  return new DatabaseOpenError(
    `The file ${lockFile}, which keeps a second server from the database, is damaged. It has no data: end every server of the database, remove that file, and start again. (SQLite: ${error.message})`,
  );
}

function readHolder(db: DatabaseSync): Record<string, unknown> | undefined {
  try {
    return db.prepare('select pid, since from holder where id = 1').get();
  } catch {
    return undefined;
  }
}
