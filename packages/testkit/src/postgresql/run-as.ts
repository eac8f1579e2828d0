import { readFile, realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';

/** The user that runs PostgreSQL, as options of `spawn`; without members it is the user of this process. */
export interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * PostgreSQL refuses to run as root, so root runs it as `nobody`. `initdb` asks the machine for the name of its user, which
 * is why it is a user that every machine has.
 */
export async function unprivilegedUser(): Promise<RunAs> {
  if (process.getuid?.() !== 0) return {};
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, uid = '65534', gid = '65534'] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users) ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

/** The temporary directories of a machine, the one of this process first: it can be closed to other users. */
export function temporaryDirectories(): readonly string[] {
  return [...new Set([tmpdir(), '/tmp', '/var/tmp'])];
}

/** Whether the user can enter the directory, which needs a right in each directory above it. */
export async function canEnter(user: RunAs, directory: string): Promise<boolean> {
  if (user.uid === undefined) return true;
  for (let path = await realpath(directory); ; path = dirname(path)) {
    const { mode, uid } = await stat(path);
    if ((mode & (uid === user.uid ? 0o100 : 0o001)) === 0) return false;
    if (path === dirname(path)) return true;
  }
}
