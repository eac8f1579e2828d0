import {
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseOpenError } from '../../../schema/database-open-error.ts';
import {
  cannotWrite,
  copySnapshot,
  openSnapshot,
  removeDatabase,
  type Snapshot,
  syncDirectory,
} from './copy-database.ts';
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
  const room = `${to}.partial`;
  const partial = join(makeRoom(room), basename(to));
  try {
    await copySnapshot(snapshot, partial);
    renameSync(partial, to);
  } finally {
    removeDatabase(partial);
    rmdirSync(room);
  }
  syncDirectory(to);
  return { bytes: statSync(to).size };
}

/**
 * A directory for a backup that is not complete. Where others can make files, such as in `/tmp`, one of them could put a log beside it, which
 * SQLite would take into it.
 */
function makeRoom(room: string): string {
  try {
    const found = lstatSync(room, { throwIfNoEntry: false });
    // A backup that was interrupted has left it.
    if (found?.isDirectory() && isPrivate(found)) return room;
    // An earlier release left a file.
    rmSync(room, { force: true });
    mkdirSync(room, { mode: 0o700 });
    return room;
  } catch (error) {
    throw cannotWrite(room, error);
  }
}

function isPrivate({ uid, mode }: Stats): boolean {
  const self = process.geteuid?.();
  return self === undefined || (uid === self && (mode & 0o077) === 0);
}
