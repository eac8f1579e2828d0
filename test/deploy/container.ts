import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@watchword/server-testkit/processes/process';
import { layout } from '../../deploy/image/layout.ts';

/**
 * A process that runs as a container runtime would run the image, without a runtime: process 1 of its own namespace of processes, an
 * unprivileged user without capabilities, the assembled root file system read-only, memory in place of the volume. It shares
 * the network of this machine.
 */
export interface Container extends AsyncDisposable {
  /** What process 1 has written. */
  readonly log: () => string;
  /** Id of process 1, outside of the container. */
  readonly pid: number;
  /** Runs a program in the container, as `docker exec` does. Resolves with its exit code and output. */
  run(...command: readonly string[]): Promise<{ code: number | null; output: string }>;
  /** Sends a signal to process 1. Resolves with the exit code of the container. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface ContainerOptions {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Files in `/run/secrets`, by name: the user of the container can read them. */
  readonly secrets?: Readonly<Record<string, string>>;
}

const enter = ['--no-new-privs', 'chroot', `--userspec=${layout.user}:${layout.user}`, '--groups='];

/** `$0` is the root, `$1` the folder of the secrets, the rest the command. */
const script = `set -e
mount --bind "$0" "$0" && mount -o remount,ro,bind "$0"
mount -t tmpfs -o mode=1777 tmpfs "$0/tmp"
mount -t tmpfs -o uid=${layout.user},gid=${layout.user},mode=700 tmpfs "$0${layout.data}"
mount -t tmpfs tmpfs "$0/run" && mkdir "$0/run/secrets" && mount --bind -o ro "$1" "$0/run/secrets"
mount -t proc proc "$0/proc"
mount -t tmpfs tmpfs "$0/dev"
for device in null zero random urandom; do touch "$0/dev/$device"; mount --bind "/dev/$device" "$0/dev/$device"; done
cd "$0"; shift
exec setpriv ${enter.join(' ')} "$0" "$@"`;

/** What `deploy/image/assemble.ts` has made: `npm run check:deploy` does that once for all checks, before it runs them. */
export const image = process.env.TEST_IMAGE ?? '';

/** Why this machine cannot run a container; `undefined` if it can. */
export function whyNoContainer(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs Linux and the rights of root';
  try {
    execFileSync('unshare', ['--mount', '--pid', '--fork', 'true'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'needs the right to make namespaces';
  }
}

/** Runs {@link image}. */
export async function startContainer(options: ContainerOptions): Promise<Container> {
  const { command, env = {}, secrets = {} } = options;
  const folder = mkdtempSync(join(tmpdir(), 'watchword-secrets-'));
  // The user of the container must get through the folder.
  chmodSync(folder, 0o755);
  for (const [name, content] of Object.entries(secrets)) writeFileSync(join(folder, name), content);
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private'];
  const child = spawn('unshare', [...namespaces, 'sh', '-c', script, image, folder, ...command], {
    env: { ...imageEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk));
  let pid = 0;
  const dispose = async () => {
    // With process 1, the kernel ends every process of its namespace. It has changed its user, so `--kill-child` does not reach it.
    if (pid !== 0 && existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL');
    else child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true });
  };
  try {
    pid = await firstProcess(child);
    return {
      log: () => log,
      pid,
      run: (...args) => runIn(pid, { ...imageEnvironment, ...env }, args),
      async end(signal) {
        process.kill(pid, signal);
        await ended;
        return child.exitCode;
      },
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw new Error(log, { cause: error });
  }
}

/** What the Dockerfile sets, and what the shell needs to find the commands of this file. */
const imageEnvironment = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
  WATCHWORD_HOST: '0.0.0.0',
  WATCHWORD_DATABASE: `${layout.data}/watchword.db`,
};

/** Resolves when the container runs its own command. */
async function firstProcess(unshare: ChildProcess): Promise<number> {
  let pid = 0;
  await until(() => {
    if (unshare.exitCode !== null) throw new Error('the container has ended');
    pid = childrenOf(unshare.pid ?? 0)[0] ?? 0;
    return pid !== 0 && readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(layout.node);
  });
  return pid;
}

/** Ids of the processes that a process has started and that have not been reaped. */
export function childrenOf(pid: number): number[] {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return listed.split(' ').filter(Boolean).map(Number);
}

async function runIn(pid: number, env: NodeJS.ProcessEnv, command: readonly string[]) {
  const namespaces = ['--mount', '--pid', '--target', String(pid)];
  const child = spawn('nsenter', [...namespaces, 'setpriv', ...enter, image, ...command], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  await once(child, 'close');
  return { code: child.exitCode, output };
}

/** Resolves when the server of the container answers. @throws Error with its log when it ends before */
export async function listening({ log, pid }: Container): Promise<void> {
  await until(() => {
    if (!existsSync(`/proc/${pid}`)) throw new Error(log());
    return log().includes('"msg":"listening"');
  });
}
