import { existsSync, renameSync, statSync } from 'node:fs';
import { DatabaseOpenError } from '../../database-open-error.ts';
import { copyDatabase, syncDirectory } from './copy-database.ts';
import { requireFile } from './files.ts';

export interface BackupReport {
  readonly bytes: number;
}

/**
 * Writes a backup while a server runs. It gets its name when it is complete and was read without finding damage.
 *
 * @throws DatabaseOpenError
 */
export async function backupSqlite(file: string, to: string): Promise<BackupReport> {
  requireFile(file);
  if (existsSync(to)) {
    throw new DatabaseOpenError(
      `There is a file ${to} already, and a backup replaces none. Name another, or remove that one.`,
    );
  }
  const partial = `${to}.partial`;
  await copyDatabase(file, partial);
  renameSync(partial, to);
  syncDirectory(to);
  return { bytes: statSync(to).size };
}
