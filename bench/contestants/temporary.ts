import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWarm } from './checkouts.ts';
import { type ServerProcess, watchword } from './server-process.ts';

/** A directory that is removed with the resources. */
export async function temporaryDirectory(resources: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  resources.defer(() => rm(directory, { recursive: true }));
  return directory;
}

/** Stops a server with the resources. */
export async function running<Process extends ServerProcess>(
  resources: AsyncDisposableStack,
  starting: Promise<Process>,
): Promise<Process> {
  const process = await starting;
  resources.defer(() => process.stop());
  return process;
}

/** The server of this checkout in demo mode over a new database, until the resources are released. */
export async function ownServer(
  resources: AsyncDisposableStack,
): Promise<{ readonly process: ServerProcess; readonly database: string }> {
  const directory = await temporaryDirectory(resources);
  const { process, database } = await startWarm(directory, 'bench', watchword);
  resources.defer(() => process.stop());
  return { process, database };
}
