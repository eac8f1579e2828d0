import { spawn } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { query } from '../../packages/testkit/src/postgresql.ts';

/** A machine of a cluster that runs on this computer. */
export interface LocalWorker {
  /** Ends it at once, as a loss of power would. */
  kill(): void;
  /** Starts it again, as the user and with the arguments that it had. Resolves when it answers. */
  start(): Promise<void>;
}

/** @param url of a database of the worker, for a superuser */
export async function localWorker(url: string): Promise<LocalWorker> {
  const processOf = async () => {
    const [row] = await query(url, "select pg_read_file('postmaster.pid') as text");
    return Number(String(row?.text).split('\n')[0]);
  };
  let pid = await processOf();
  const command = readlinkSync(`/proc/${pid}/exe`);
  const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(1, -1);
  const idOf = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  const options = { uid: idOf('Uid'), gid: idOf('Gid'), cwd: '/', detached: true, stdio: 'ignore' } as const;
  return {
    kill: () => {
      process.kill(pid, 'SIGKILL');
    },
    async start() {
      // The processes of connections end a moment later, and keep the shared memory until then.
      for (let attempt = 1; ; attempt += 1) {
        const child = spawn(command, args, options);
        child.unref();
        await delay(1000);
        if (child.exitCode === null) break;
        if (attempt === 10) throw new Error('the worker does not start again');
      }
      for (let attempt = 1; ; attempt += 1) {
        try {
          pid = await processOf();
          return;
        } catch (error) {
          if (attempt === 60) throw error;
          await delay(500);
        }
      }
    },
  };
}
