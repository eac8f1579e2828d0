import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  openSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { shellWord } from '@watchword/protocol';

/**
 * Who owns the files that a command makes. The service must be able to use what commands of other users leave.
 */

/** A user, with its group. */
interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const root = 0;

/**
 * Makes an empty file that only this user can read.
 *
 * @param like a file whose owner and mode it gets instead, as far as this user can give them: root alone owns the directory then
 * @throws Error of the file system, also if there is a file already
 */
export function makeOwnedFile(file: string, like?: string): void {
  const made = openSync(file, 'wx', 0o600);
  try {
    if (like !== undefined) giveLike(made, statSync(like));
  } finally {
    closeSync(made);
  }
}

function giveLike(opened: number, { uid, gid, mode }: Owner & { readonly mode: number }): void {
  const self = process.geteuid?.();
  if (self === undefined) return;
  try {
    fchownSync(opened, self === root ? uid : self, gid);
  } catch {
    // Root without this right, or a file system without owners. The command says afterwards what is left to do.
  }
  // Another group has no right to it.
  fchmodSync(opened, fstatSync(opened).gid === gid ? mode & 0o777 : mode & 0o707);
}

/** The files of a database that a server must be able to use. */
export function filesOf(file: string): string[] {
  const place = existsSync(file) ? realpathSync(file) : file;
  return ['', '.lock', '-wal', '-shm', '.key']
    .map((suffix) => `${place}${suffix}`)
    .filter((name) => existsSync(name));
}

/**
 * The command that gives files to the owner of their directory, or of the database if that directory is of root; `undefined` if this
 * user owns none that a service of another user would use.
 *
 * @param files of one directory, the database first
 * @param self the user of this process; `undefined` on a system without such
 */
export function ownerAdvice(files: readonly string[], self = process.geteuid?.()): string | undefined {
  const [first] = files;
  if (first === undefined || self === undefined) return undefined;
  const [directory, database] = [statSync(dirname(first)), statSync(first)];
  const { uid, gid } = directory.uid === root ? database : directory;
  if (uid === self) return undefined;
  const own = files.filter((file) => statSync(file, { throwIfNoEntry: false })?.uid === self);
  if (own.length === 0) return undefined;
  return `user ${self} owns ${own.join(', ')}, and user ${uid} what is beside it, so that a server of user ${uid} cannot use it. As root, run: ${chown({ uid, gid }, own)}`;
}

/** What to do where this user cannot use a database because its files are of another one; `''` if that is not the reason. */
export function ownerHint(file: string, self = process.geteuid?.(), group = process.getegid?.()): string {
  if (self === undefined || group === undefined || self === root) return '';
  const foreign = filesOf(file).filter((name) => statSync(name).uid !== self);
  if (foreign.length === 0) return '';
  return ` This is user ${self}, and ${foreign.join(', ')} ${foreign.length === 1 ? 'is' : 'are'} of another one. If the files are of this service, run as root: ${chown({ uid: self, gid: group }, foreign)}`;
}

function chown({ uid, gid }: Owner, files: readonly string[]): string {
  return ['chown', `${uid}:${gid}`, ...files.map(shellWord)].join(' ');
}
