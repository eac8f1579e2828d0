import { StoreDamagedError, StoreUnavailableError } from '@watchword/protocol';
import { DatabaseOpenError } from '../../../schema/database-open-error.ts';
import { ownerHint } from './owners.ts';
import { codes, isDamage, isUnavailability, type SqliteError, toSqliteError } from './sqlite-errors.ts';

export const damageAdvice =
  'The database is damaged: find the extent with "watchword check", and restore the last backup with "watchword restore".';

/** The error for callers of the store. Its cause is the error of SQLite. */
export function toStoreError(sqliteError: SqliteError): Error {
  const text = sqliteError.code === codes.replaced ? sqliteError.message : `SQLite: ${sqliteError.message}`;
  if (isDamage(sqliteError)) return new StoreDamagedError(`${text}. ${damageAdvice}`, { cause: sqliteError });
  return isUnavailability(sqliteError)
    ? new StoreUnavailableError(text, { cause: sqliteError })
    : new Error(text, { cause: sqliteError });
}

// The code of SQLite for a wrong statement. The statements of Watchword are right if the tables are.
const missingTable = 1;

export function toOpenError(file: string, { message, code }: SqliteError): DatabaseOpenError {
  return new DatabaseOpenError(`${openAdvice(file, code)} (SQLite: ${message})`);
}

function openAdvice(file: string, code: number): string {
  switch (code) {
    case codes.cannotOpen:
      return `Cannot open the database ${file}: expected a file that this user can read and write, in a directory that exists. Create the directory, correct its permissions, or name another file with --database.${ownerHint(file)}`;
    case codes.readOnly:
      return `The database ${file} is read-only: this user must be able to write it and its directory. Correct the permissions or the mount, or name another file with --database.${ownerHint(file)}`;
    case codes.corrupt:
    case codes.notADatabase:
      return `The file ${file} is not a SQLite database or is damaged. Nothing was changed. Restore your last backup with "watchword restore", or move the file away and start again with an empty database.`;
    case codes.full:
      return `There is no space left for the database ${file}. Nothing was lost. Free some space and start again.`;
    case codes.busy:
    case codes.locked:
      return `Another process keeps the database ${file} locked. Wait until it has finished, or end it, and try again.`;
    case missingTable:
      return `The tables in the database ${file} differ from the tables that its migrations make: they were changed, or the file is damaged. Nothing was changed. Restore your last backup with "watchword restore".`;
    case codes.noSchema:
      return `The file ${file} is there, but has no tables of Watchword: it is empty, or was copied without its write-ahead log (-wal). Nothing was changed. A backup is made with "watchword backup". If the file is to hold a new database, remove it, because a new one is made only where there is no file.`;
    case codes.foreignLog:
      return `Beside ${file} is a log of a user who cannot write it: expected logs of the owner of the database. Its content would become that of the database. Nothing was changed. Find out who made the log, remove it, and keep databases and backups in directories into which no other user can write.`;
    case codes.otherApplication:
      return `The file ${file} is a database of another application. Nothing was changed. Name another file with --database.`;
    default:
      return `The database ${file} cannot be read or written. Nothing was changed. Check the disk and the log of the operating system.`;
  }
}

/** Also for errors of the connection of this thread, and of the files of the database. */
export function openErrorOf(file: string, error: unknown): unknown {
  if (isSqliteError(error)) return toOpenError(file, error.cause);
  const isOfFiles = error instanceof Error && ('errcode' in error || 'syscall' in error);
  return isOfFiles ? toOpenError(file, toSqliteError(error)) : error;
}

function isSqliteError(error: unknown): error is Error & { cause: SqliteError } {
  const isOfStore = error instanceof StoreUnavailableError || error instanceof StoreDamagedError;
  return isOfStore && typeof error.cause === 'object' && error.cause !== null;
}
