import { lstatSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import {
  foreignLogError,
  isDamage,
  noSchemaError,
  otherApplicationError,
  toSqliteError,
} from './sqlite-errors.ts';

// Marks the file as a database of Watchword ("WWRD"), so that a database of another application is never changed.
export const applicationId = 0x57575244;
const root = 0;

export interface OwnOptions extends Pick<DatabaseSyncOptions, 'readOnly' | 'timeout'> {
  /** Whether the file is read as one that nobody changes, for which no other file is made. Default: no. */
  readonly immutable?: boolean;
}

/**
 * Opens a database that is there. Opening makes no file, and changes none that is not a database of Watchword with its tables.
 *
 * @throws Error of SQLite, or of a file that is empty, without tables, or of another application, or with a log of somebody else
 */
export function openOwn(file: string, { immutable, ...options }: OwnOptions): DatabaseSync {
  const found = statSync(file, { throwIfNoEntry: false });
  // SQLite would delete the log beside an empty file.
  if (found?.isFile() && found.size === 0) throw noSchemaError('it has 0 bytes');
  requireOwnLogs(file);
  const url = pathToFileURL(resolve(file));
  // Without it SQLite makes a file that has just been removed.
  url.searchParams.set('mode', options.readOnly === true ? 'ro' : 'rw');
  if (immutable === true) url.searchParams.set('immutable', '1');
  const db = new DatabaseSync(url, options);
  try {
    requireOwn(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * SQLite takes what a log says for the newest content of the database. Where others can make files, such as in `/tmp`, it can be of a user
 * who cannot write the database.
 *
 * @throws Error
 */
export function requireOwnLogs(file: string): void {
  const database = statSync(file, { throwIfNoEntry: false });
  // Who can write it needs no log for that.
  if (database === undefined || (database.mode & 0o022) !== 0) return;
  const trusted = new Set([database.uid, root, process.geteuid?.()]);
  const place = realpathSync(file);
  for (const log of [`${place}-wal`, `${place}-journal`]) {
    const found = lstatSync(log, { throwIfNoEntry: false });
    if (found !== undefined && !trusted.has(found.uid)) throw foreignLogError(log, found.uid);
  }
}

const stateOfFile = `select application_id as found, (select count(*) from sqlite_schema) as tables,
  (select count(*) from sqlite_schema where type = 'table' and name = 'schema_migration') as migrations
from pragma_application_id`;

/** A file with this id and without a migration is a copy without the log, or was left by a first start that ended early. */
function requireOwn(db: DatabaseSync): void {
  const { found, tables, migrations } = db.prepare(stateOfFile).get() ?? {};
  if (found !== applicationId && (found !== 0 || tables !== 0)) throw otherApplicationError(found);
  if (tables === 0) throw noSchemaError('it has no tables');
  if (migrations === 0 || !hasMigration(db)) throw noSchemaError('it has no migrations');
}

/** Also if the table is damaged, which is for the caller to find: it is there. */
function hasMigration(db: DatabaseSync): boolean {
  try {
    return db.prepare('select name from schema_migration limit 1').get() !== undefined;
  } catch (error) {
    if (isDamage(toSqliteError(error))) return true;
    throw error;
  }
}
