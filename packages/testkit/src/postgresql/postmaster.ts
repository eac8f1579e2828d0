import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Installation } from './installation.ts';

/** The first process of a PostgreSQL server. */
export interface Postmaster {
  readonly processId: number;
  readonly isRunning: boolean;
  /** The end of its log. */
  log(): string;
  /** Sends the signal and resolves when it has ended. */
  end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  /** Kills it and all its processes, as the kernel does when memory is short. */
  kill(): Promise<void>;
  /** Lets this process end while the server runs; the server then ends too. */
  unref(): void;
}

/**
 * Becomes `postgres`, after it has left a process behind that waits for the end of file descriptor 3. A line says that the server
 * has ended; an end without a line, that the process of the tests has, however it was killed: then this process ends the
 * server, and removes its directory unless that is kept. The limit of the loop is 10 seconds.
 */
const script = `
directory=$1 isKept=$2; shift 2
( (
  if read -r _ <&3; then exit; fi
  kill -QUIT $$
  rounds=0
  while [ -e "$directory/postmaster.pid" ] && [ $rounds -lt 100 ]; do sleep 0.1; rounds=$((rounds + 1)); done
  if [ "$isKept" != true ]; then rm -rf "$directory"; fi
) >/dev/null 2>&1 & )
exec "$@" 3<&-
`;

/**
 * Starts a server on the directory.
 *
 * @param isKept whether the directory stays when this process is killed
 * @throws Error with its log when it ends before it accepts connections
 */
export async function startPostmaster(
  { programs, runAs }: Installation,
  directory: string,
  settings: Readonly<Record<string, string>>,
  isKept: boolean,
): Promise<Postmaster> {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [join(programs, 'postgres'), '-D', directory, ...flags];
  // In a process group of its own: an interrupt at the terminal reaches the tests only.
  const child = spawn('/bin/sh', ['-c', script, 'postgresql', directory, String(isKept), ...command], {
    ...runAs,
    cwd: directory,
    env: {},
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [, , logged, held] = child.stdio as unknown as [null, null, Socket, Socket];
  let log = '';
  const ended = new Promise<void>((resolve) => {
    child.on('exit', () => {
      held.end('ended\n');
      resolve();
    });
  });
  held.on('error', () => {});
  const ready = new Promise<void>((resolve, reject) => {
    logged.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-65_536);
      if (/ready to accept (?:read-only )?connections/.test(text)) resolve();
    });
    child.on('error', reject);
    child.on('close', () => reject(new Error(`PostgreSQL has ended before it was ready:\n${log}`)));
  });
  await ready;
  return {
    processId: child.pid ?? 0,
    get isRunning() {
      return child.exitCode === null && child.signalCode === null;
    },
    log: () => log,
    async end(signal) {
      child.kill(signal);
      await ended;
    },
    async kill() {
      await killAll(child, directory);
      await ended;
    },
    unref() {
      child.unref();
      for (const stream of [logged, held]) stream.unref();
    },
  };
}

async function killAll(postmaster: ChildProcess, directory: string): Promise<void> {
  const { pid } = postmaster;
  if (pid === undefined) return;
  const lock = await readFile(join(directory, 'postmaster.pid'), 'utf8');
  // It starts no processes from here on.
  postmaster.kill('SIGSTOP');
  for (const child of await childrenOf(pid)) kill(child);
  postmaster.kill('SIGKILL');
  // The next start on the directory would remove the shared memory, but there may be none.
  const [, id = ''] = lock.split('\n')[6]?.trim().split(/\s+/) ?? [];
  await promisify(execFile)('ipcrm', ['-m', id]).catch(() => {});
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
    const lines = stdout.trim().split('\n');
    const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
    return pairs.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
  }
  const running = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const children = await Promise.all(
    running.map(async (name) => {
      const state = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
      // The name in parentheses can contain spaces.
      const [, parent] = state.slice(state.lastIndexOf(')') + 2).split(' ');
      return Number(parent) === pid ? [Number(name)] : [];
    }),
  );
  return children.flat();
}
