import { closeSync, lstatSync, openSync, readlinkSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { isAbsolute, join, parse, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shellWord } from '@watchword/protocol';
import { DatabaseOpenError } from '../../../schema/database-open-error.ts';

/**
 * Whose rights a process of root uses. Whoever owns a directory can put a link in place of a file between two steps, and SQLite
 * opens files by name. So root acts as that owner, and nothing that it does exceeds what the owner can do alone. Threads have the
 * rights of their process: no other work may be under way when they change.
 */

interface Identity {
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
}

interface Owner {
  readonly uid: number;
  /** Its group, if the system does not know the user. */
  readonly gid: number;
  /** The group by which it writes into a directory of root. */
  readonly shared?: number;
  /** What is its own. */
  readonly place: string;
}

// The types of Node.js do not have it.
const { initgroups } = process as { readonly initgroups?: (user: string, group: number) => void };
const root = 0;
// As on Linux.
const mostLinks = 40;

/**
 * Does the work with the rights of the owner of the files, and then acts as before. A process of another user than root keeps its own.
 *
 * @throws DatabaseOpenError if they have several owners, or this process cannot act as the owner
 */
export async function asOwnerOf<Value>(files: readonly string[], work: () => Promise<Value>): Promise<Value> {
  const end = actAsOwnerOf(files);
  try {
    return await work();
  } finally {
    end();
  }
}

/** The same until the returned function is called. @throws DatabaseOpenError */
export function actAsOwnerOf(files: readonly string[]): () => void {
  const before = identity();
  if (before === undefined) return () => {};
  const end = () => {
    if (identity() !== undefined && process.geteuid?.() !== before.uid) act(before);
  };
  try {
    if (before.uid !== root) act(asRoot());
    const owner = soleOwner(files);
    if (owner !== undefined) become(owner, act);
    return end;
  } catch (error) {
    end();
    throw error;
  }
}

/** The same for good, also for the processes that this one starts. @throws DatabaseOpenError */
export function becomeOwnerOf(files: readonly string[]): void {
  const owner = identity() && soleOwner(files);
  if (owner === undefined) return;
  become(owner, ({ uid, gid, groups }) => {
    process.setgroups?.([...groups]);
    process.setgid?.(gid);
    process.setuid?.(uid);
  });
}

/** Of this process, if it is one of root; `undefined` for all others. */
function identity(): Identity | undefined {
  if (process.getuid?.() !== root) return undefined;
  return {
    uid: process.geteuid?.() ?? root,
    gid: process.getegid?.() ?? root,
    groups: process.getgroups?.() ?? [],
  };
}

function asRoot(): Identity {
  return { uid: root, gid: process.getgid?.() ?? root, groups: [] };
}

function act({ uid, gid, groups }: Identity): void {
  process.seteuid?.(root);
  process.setgroups?.([...groups]);
  process.setegid?.(gid);
  process.seteuid?.(uid);
}

function become(owner: Owner, take: (identity: Identity) => void): void {
  try {
    take(identityOf(owner));
    // Threads and parts that are loaded later read the program with these rights.
    closeSync(openSync(fileURLToPath(import.meta.resolve('#writer-thread')), 'r'));
  } catch (error) {
    const { uid, place } = owner;
    throw new DatabaseOpenError(
      `${place} is of user ${uid}, so that root acts as that user here, which is not possible: ${(error as Error).message}. Nothing was changed. Let every user read the program, and run the command as that user: sudo -u ${shellWord(`#${uid}`)} watchword …`,
    );
  }
}

function identityOf({ uid, gid, shared }: Owner): Identity {
  process.seteuid?.(root);
  const known = userOf(uid);
  if (known === undefined) {
    const group = shared ?? (gid === root ? uid : gid);
    return { uid, gid: group, groups: [group] };
  }
  initgroups?.(known.username, known.gid);
  // Node.js adds the group of the process to those that it reads.
  process.setegid?.(known.gid);
  const groups = process.getgroups?.() ?? [known.gid];
  return { uid, gid: known.gid, groups: shared === undefined ? groups : [...groups, shared] };
}

/** Node.js knows the user of the process alone. @returns `undefined` for a user that the system does not know */
function userOf(uid: number): { readonly username: string; readonly gid: number } | undefined {
  process.seteuid?.(uid);
  try {
    return userInfo();
  } catch {
    return undefined;
  } finally {
    process.seteuid?.(root);
  }
}

/** @returns `undefined` if root alone decides what the names lead to @throws DatabaseOpenError */
function soleOwner(files: readonly string[]): Owner | undefined {
  const owners = files.map(ownerOf);
  const [owner] = owners;
  const other = owners.findIndex((each) => each?.uid !== owner?.uid);
  if (other === -1) return owner;
  const whose = (index: number) => `${files[index]} of user ${owners[index]?.uid ?? root}`;
  throw new DatabaseOpenError(
    `${whose(0)}, but ${whose(other)}: expected files of one user, as whom root can act. Nothing was changed. Bring them into directories of one user; "watchword backup" makes a copy of a database for the owner of its directory.`,
  );
}

/** Whoever owns a directory or a link on the way to a file decides which one it is. @throws DatabaseOpenError */
function ownerOf(file: string): Owner | undefined {
  const steps = stepsTo(file);
  // In a user namespace, what root cannot have is of a user beyond it, as is the top.
  const topUid = statSync(topOf(file)).uid;
  const isForeign = ({ uid }: Step) => uid !== root && uid !== topUid;
  const [owner, ...others] = steps.filter((step) => step.isDecisive && isForeign(step));
  const other = others.find(({ uid }) => uid !== owner?.uid);
  if (owner === undefined) return fileOwner(steps.filter(isForeign), steps.at(-2));
  if (other === undefined) return owner;
  throw new DatabaseOpenError(
    `${owner.place} is of user ${owner.uid}, who decides what ${other.place} of user ${other.uid} is. Root trusts only one of them with ${file}. Nothing was changed. Run the command as that user: sudo -u ${shellWord(`#${other.uid}`)} watchword …`,
  );
}

/** The owner of a file in a directory of root into which others can write. */
function fileOwner([file]: readonly Step[], directory: Step | undefined): Owner | undefined {
  const mode = directory?.mode ?? 0;
  if (file === undefined || directory === undefined || (mode & 0o022) === 0) return undefined;
  // If all can write into it, the user need not be one of the group.
  return (mode & 0o002) === 0 ? { ...file, shared: directory.gid } : file;
}

interface Step extends Owner {
  readonly mode: number;
  /** Whether it is a directory or a symbolic link. */
  readonly isDecisive: boolean;
}

/** What the system comes by on the way to a file, as far as there is anything. */
function stepsTo(file: string): Step[] {
  const top = topOf(file);
  const steps: Step[] = [];
  const names = isAbsolute(file) ? partsOf(file) : [...partsOf(process.cwd()), ...partsOf(file)];
  let [directory, links] = [top, 0];
  for (let name = names.shift(); name !== undefined && links <= mostLinks; name = names.shift()) {
    const place = join(directory, name);
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (found === undefined) break;
    const { uid, gid, mode } = found;
    const isLink = found.isSymbolicLink();
    steps.push({ uid, gid, mode, place, isDecisive: isLink || found.isDirectory() });
    if (!isLink) {
      // Nothing is below a file.
      if (!found.isDirectory()) break;
      directory = place;
      continue;
    }
    links += 1;
    const target = readlinkSync(place);
    names.unshift(...partsOf(target));
    if (isAbsolute(target)) directory = top;
  }
  return steps;
}

function topOf(file: string): string {
  return parse(resolve(file)).root;
}

function partsOf(path: string): string[] {
  return path.split(sep).filter((part) => part !== '' && part !== '.');
}
