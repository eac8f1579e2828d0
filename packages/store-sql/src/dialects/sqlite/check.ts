import { findDamage } from './files/damage.ts';
import { requireFile } from './files/files.ts';
import { isDamage, toSqliteError } from './files/sqlite-errors.ts';
import { toOpenError } from './files/store-errors.ts';

/** Reads the whole database, also while a server runs. Returns the damage in the words of SQLite. @throws DatabaseOpenError */
export function checkSqlite(file: string): string[] {
  requireFile(file);
  try {
    return findDamage(file);
  } catch (error) {
    const sqliteError = toSqliteError(error);
    if (isDamage(sqliteError)) return [sqliteError.message];
    throw toOpenError(file, sqliteError);
  }
}
