import { findDamage } from './damage.ts';
import { requireFile } from './files.ts';
import { isDamage, toSqliteError } from './sqlite-errors.ts';
import { toOpenError } from './store-errors.ts';

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
