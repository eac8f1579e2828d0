import { existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseOpenError } from '../../../schema/database-open-error.ts';
import { toSqliteError } from './sqlite-errors.ts';

/** @throws DatabaseOpenError if the file does not exist */
export function requireFile(file: string): void {
  if (existsSync(file)) return;
  throw new DatabaseOpenError(
    `There is no database at ${file}. Run "watchword migrate" to create it, start the server, or name another file with --database.`,
  );
}

/** Makes the directory of the database, with all above it that are missing, for this user only. @throws DatabaseOpenError */
export function createDirectory(file: string): void {
  try {
    mkdirSync(dirname(targetOf(file)), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DatabaseOpenError(
      `Cannot create the directory of the database ${file}: ${toSqliteError(error).message}. Correct the permissions, or name another file with --database.`,
    );
  }
}

/** The real path of a database, of which two names must not permit two servers, or of one that is to be made with its directory. */
export function placeOf(file: string): string {
  const target = resolve(targetOf(file));
  return existsSync(target) ? realpathSync(target) : join(placeOf(dirname(target)), basename(target));
}

// As on Linux.
const mostLinks = 40;

/** Follows symbolic links also to a file that is missing. */
function targetOf(file: string): string {
  let target = file;
  for (let links = 0; links < mostLinks && !existsSync(target); links += 1) {
    if (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink() !== true) break;
    target = resolve(dirname(target), readlinkSync(target));
  }
  return target;
}

/** Bytes of the database with its write-ahead log. */
export async function sizeOf(file: string): Promise<number> {
  const sizes = await Promise.all([file, `${file}-wal`].map(bytesOf));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

/** Bytes that are free for this user on the disk of the database. */
export async function freeBeside(file: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(file));
  return bavail * bsize;
}

/** @returns 0 if there is no such file, such as a log that was never written */
async function bytesOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}
