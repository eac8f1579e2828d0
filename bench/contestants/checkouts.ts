import { execFile } from 'node:child_process';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { RegisteredClient, RegisteredResourceServer } from '../load/token-requests.ts';
import { type ServerProcess, startWatchword, watchword } from './server-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The command of another checkout. */
export function commandOf(checkout: string): string {
  return resolve(checkout, relative(root, watchword));
}

/** A server with a new database. The first start of a checkout fills the compile cache, so the second is the one to measure. */
export async function startWarm(
  directory: string,
  name: string,
  command: string,
  flags: readonly string[] = [],
): Promise<{ readonly process: ServerProcess; readonly database: string }> {
  const database = `${name}.db`;
  await (await startWatchword(directory, `warm-up ${database}`, undefined, undefined, command)).stop();
  const process = await startWatchword(directory, database, ['--demo', ...flags], undefined, command);
  return { process, database: join(directory, database) };
}

/**
 * Registers a client whose tokens expire. Without a lifetime, checkouts with different defaults would do different work: a token
 * that expires is in one more index.
 */
export async function registerClient(
  command: string,
  database: string,
  flags: readonly string[],
  resourceServer = 'demo-resource-server',
): Promise<RegisteredClient> {
  const { clientId, secret } = await create<RegisteredClient>(command, database, 'client', [
    ...['--resource-server', resourceServer, '--scope', 'read', '--expire-duration', '3600'],
    ...flags,
  ]);
  return { clientId, secret };
}

/** Registers a resource server with the scope `read`. */
export async function registerResourceServer(
  command: string,
  database: string,
  flags: readonly string[],
): Promise<RegisteredResourceServer> {
  const { key, secret } = await create<RegisteredResourceServer>(command, database, 'resource-server', [
    ...['--scope', 'read'],
    ...flags,
  ]);
  return { key, secret };
}

/** What the command line prints of a new record. */
async function create<Registered>(
  command: string,
  database: string,
  kind: 'client' | 'resource-server',
  flags: readonly string[],
): Promise<Registered> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    command,
    ...[kind, 'create', '--json', '--name', 'Bench', '--database', database],
    ...flags,
  ]);
  return JSON.parse(stdout) as Registered;
}

/** Repeats the work until it succeeds: a running server reads what the command line registered within a second. */
export async function untilKnown(work: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
