import { existsSync, renameSync, statSync } from 'node:fs';
import { DatabaseOpenError } from '../../database-open-error.ts';
import { copySnapshot, openSnapshot, type Snapshot, syncDirectory } from './copy-database.ts';
import { requireFile } from './files.ts';
import { asOwnerOf } from './rights.ts';

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
  const partial = `${to}.partial`;
  await copySnapshot(snapshot, partial);
  renameSync(partial, to);
  syncDirectory(to);
  return { bytes: statSync(to).size };
}
