import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseOpenError } from '../../database-open-error.ts';
import { toSqliteError } from './sqlite-errors.ts';

/** @throws DatabaseOpenError when there is none */
export function requireFile(file: string): void {
  if (existsSync(file)) return;
  throw new DatabaseOpenError(
    `There is no database at ${file}. Run "watchword migrate" to create it, start the server, or name another file with --database.`,
  );
}

/** Makes the directory of the database. @throws DatabaseOpenError */
export function createDirectory(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DatabaseOpenError(
      `Cannot create the directory of the database ${file}: ${toSqliteError(error).message}. Correct the permissions, or name another file with --database.`,
    );
  }
}
