import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDataDirectory, type PostgresqlServer, startPostgresql } from '@watchword/testkit/postgresql';
import { familySeconds } from '../measure/processor-time.ts';

/** Each commit is on disk before its answer, as `initdb` sets it up. Memory and log are those of a small real server. */
export const durable = {
  fsync: 'on',
  io_method: 'worker',
  shared_buffers: '2GB',
  max_wal_size: '8GB',
} as const;

export interface BenchDatabase extends PostgresqlServer {
  /** Processor time of all its processes so far, in seconds. */
  cpuSeconds(): number;
}

/**
 * PostgreSQL of the npm package, with data of its own.
 *
 * @param directory where the data stay; made if it does not exist. Default: a temporary one
 */
export async function startDatabase(
  directory?: string,
  settings: Readonly<Record<string, string>> = durable,
): Promise<BenchDatabase> {
  const parent = directory === undefined ? await mkdtemp(join(tmpdir(), 'watchword-bench-')) : undefined;
  // The server runs as another user if this process is root.
  if (parent !== undefined) await chmod(parent, 0o711);
  const dataDirectory = directory ?? join(parent ?? '', 'data');
  const remove = async () => {
    if (parent !== undefined) await rm(parent, { recursive: true });
  };
  try {
    if (!existsSync(dataDirectory)) await makeDataDirectory(dataDirectory);
    const server = await startPostgresql({ dataDirectory, keepsData: true, settings });
    return Object.assign(server, {
      cpuSeconds: () => familySeconds(server.processId),
      async [Symbol.asyncDispose]() {
        await server.stop('fast');
        await remove();
      },
    });
  } catch (error) {
    await remove();
    throw error;
  }
}
