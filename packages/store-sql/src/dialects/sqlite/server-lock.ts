import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseOpenError } from '../../database-open-error.ts';
import { codes, toSqliteError } from './sqlite-errors.ts';
import { toOpenError } from './store-errors.ts';

/**
 * Prevents a second server on the same database file. The lock is the write lock of SQLite on a small file next to the
 * database. The operating system releases it when the process ends for any reason, and it works on every system that
 * SQLite supports. Command-line tools do not take it.
 */
export class ServerLock {
  readonly #db: DatabaseSync;

  private constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** @throws DatabaseOpenError if another server has the lock; the message names that process */
  static acquire(databaseFile: string): ServerLock {
    const lockFile = `${realFile(databaseFile)}.lock`;
    let db: DatabaseSync | undefined;
    try {
      db = new DatabaseSync(lockFile, { timeout: 0 });
      db.exec('pragma synchronous = off');
      db.exec('create table if not exists holder (id integer primary key, pid integer, since text)');
      const write = db.prepare('insert or replace into holder values (1, ?, ?)');
      db.exec('begin immediate');
      write.run(process.pid, new Date().toISOString());
      db.exec('commit');
      db.exec('begin immediate');
      return new ServerLock(db);
    } catch (error) {
      const sqliteError = toSqliteError(error);
      const held = db !== undefined && isHeld(sqliteError.code) ? heldError(databaseFile, db) : undefined;
      db?.close();
      throw held ?? toOpenError(lockFile, sqliteError);
    }
  }

  release(): void {
    this.#db.close();
  }
}

/** The real path of the database: two names of one file must not permit two servers. */
function realFile(file: string): string {
  if (!existsSync(file)) return join(realpathSync(dirname(file)), basename(file));
  const found = statSync(file);
  if (found.isFile() && found.nlink > 1) {
    throw new DatabaseOpenError(
      `The database ${file} has a second name (a hard link), under which another server could damage it. Remove the other name, or copy the file.`,
    );
  }
  return realpathSync(file);
}

function isHeld(code: number): boolean {
  return code === codes.busy || code === codes.locked;
}

function heldError(databaseFile: string, db: DatabaseSync): DatabaseOpenError {
  const holder = readHolder(db);
  const who =
    holder === undefined ? 'Another server' : `Another server (process ${holder.pid}, since ${holder.since})`;
  return new DatabaseOpenError(
    `${who} already uses the database ${databaseFile}. One embedded database serves one server: end the other one, or name another file with --database.`,
  );
}

function readHolder(db: DatabaseSync): Record<string, unknown> | undefined {
  try {
    return db.prepare('select pid, since from holder where id = 1').get();
  } catch {
    return undefined;
  }
}
