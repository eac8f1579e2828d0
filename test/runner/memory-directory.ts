// Tests write thousands of databases and remove them, which takes a disk and the processor longer than memory.
import { rmSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Where Linux has a file system in memory. */
const memory = '/dev/shm';
const prefix = 'watchword-run-';
/** Bytes. A run needs a quarter of them. A container usually has 64 MiB in all. */
const leastFree = 4 * 1024 ** 3;
/** TMPFS_MAGIC of statfs(2). */
const tmpfs = 0x01021994;

export interface MemoryDirectory extends AsyncDisposable {
  readonly path: string;
}

/** A directory for temporary files in memory, if the machine has room for it; removed at the end. */
export async function memoryDirectory(): Promise<MemoryDirectory | undefined> {
  const { type, bavail, bsize } = await statfs(memory).catch(() => ({ type: 0, bavail: 0, bsize: 0 }));
  if (type !== tmpfs) return undefined;
  await removeAbandoned();
  if (bavail * bsize < leastFree) return undefined;
  const path = await mkdtemp(join(memory, `${prefix}${process.pid}-`));
  // As /tmp: PostgreSQL, which root runs as another user, makes and removes its data in there.
  await chmod(path, 0o1777);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      rmSync(path, { recursive: true, force: true });
      process.kill(process.pid, signal);
    });
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** The directories of runs that were killed. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(memory)) {
    const [, pid] = /^watchword-run-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) {
      await rm(join(memory, name), { recursive: true, force: true }).catch(() => {});
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, as another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
