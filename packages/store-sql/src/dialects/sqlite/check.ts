import { type Inspection, inspectSchema } from '../../schema/migrate.ts';
import { findDamage } from './files/damage.ts';
import { requireFile } from './files/files.ts';
import { isDamage, toSqliteError } from './files/sqlite-errors.ts';
import { toOpenError } from './files/store-errors.ts';
import { lastServer } from './server-lock.ts';
import { readUntouched } from './untouched.ts';

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

/** Compares a database with this release. @throws DatabaseOpenError if there is none, or it cannot be read */
export async function inspectSqlite(file: string): Promise<Inspection> {
  const schema = await readUntouched(file, inspectSchema);
  const last = lastServer(file);
  return { ...schema, servers: last === undefined ? [] : [last] };
}
