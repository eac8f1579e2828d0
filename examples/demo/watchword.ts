import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Runs the command line of this checkout. */
export const ownBin = fileURLToPath(new URL('../../packages/server/bin/watchword.js', import.meta.url));

/** Runs a command of `watchword`; resolves with the JSON that it printed, rejects with what it said when it failed. */
export type Watchword = <Answer>(...args: readonly string[]) => Promise<Answer>;

/** The command line of Watchword on a database file. `bin` is the file that runs it. */
export function watchwordOn(bin: string, database: string): Watchword {
  return async (...args) => {
    const command = [bin, ...args, '--json', '--database', database];
    const { stdout } = await promisify(execFile)(process.execPath, command, { env: environment() });
    return JSON.parse(stdout);
  };
}

export interface RunningWatchword {
  readonly baseUrl: string;
  /** Resolves with its exit code once it has ended, asked or not. */
  readonly ended: Promise<number | null>;
  /** Lets it finish what is under way; resolves when it has. */
  stop(): Promise<void>;
}

/**
 * Starts `watchword serve` and resolves when it answers. Its log goes to a file.
 * @param port 0 = any free one
 */
export async function serveWatchword(
  bin: string,
  database: string,
  port: number,
  log: string,
): Promise<RunningWatchword> {
  const args = [bin, 'serve', '--port', String(port), '--database', database];
  const child = spawn(process.execPath, args, {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a group of its own, so that Ctrl-C reaches the demo alone, which ends everything in order.
    detached: process.platform !== 'win32',
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'close').then(() => child.exitCode);
  child.stdout.pipe(createWriteStream(log, { flags: 'a', mode: 0o600 }));
  const baseUrl = await listening(child, ended);
  return {
    baseUrl,
    ended,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      process.off('exit', kill);
    },
  };
}

/** @throws with what it said, if it ends before it listens */
async function listening(child: ChildProcess, ended: Promise<number | null>): Promise<string> {
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const { stdout } = child;
  if (stdout === null) throw new Error('expected a pipe from the server');
  const announced = new Promise<string>((resolve) => {
    createInterface(stdout).on('line', (line) => {
      const { msg, baseUrl } = JSON.parse(line);
      if (msg === 'listening') resolve(baseUrl);
    });
  });
  const failed = ended.then((code) => {
    throw new Error(`watchword serve ended with ${code}: ${complaint}`);
  });
  return Promise.race([announced, failed]);
}

/** Nothing that is set for another Watchword may change the demo. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('WATCHWORD_')));
}
