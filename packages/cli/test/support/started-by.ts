import { fileURLToPath } from 'node:url';
import {
  type RunningServer,
  startProcess,
  temporaryDirectory,
} from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
export const npmStart = ['npm', '--prefix', root, 'start', '--'];
export const npx = ['npm', 'exec', '--prefix', root, '--', 'watchword', 'serve'];

/** A server on a database of its own, started by another command. */
export async function startBy(starter: readonly string[]): Promise<RunningServer> {
  const directory = await temporaryDirectory();
  await copyMigrated(directory.file('x.db'));
  const flags = ['--port', '0', '--database', directory.file('x.db')];
  const server = await startProcess(flags, () => [...starter, ...flags]);
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      if (isRunning(pidOf(server))) process.kill(pidOf(server), 'SIGKILL');
      await server[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** The process of the server itself, below the command that has started it. */
export function pidOf({ log }: RunningServer): number {
  return Number(/"pid":(\d+)/.exec(log())?.[1]);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
