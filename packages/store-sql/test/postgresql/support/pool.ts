import type { ConnectionOptions } from '../../../src/dialects/postgresql/connection/connection.ts';
import { Hosts } from '../../../src/dialects/postgresql/connection/hosts.ts';
import { ConnectionPool, type PoolOptions } from '../../../src/dialects/postgresql/connection/pool.ts';
import { parseUrl } from '../../../src/dialects/postgresql/connection/url.ts';

export type TestPoolOptions = Partial<PoolOptions & ConnectionOptions & { readonly connectTimeout: number }>;

/** Gives the work a pool, and closes it. */
export async function withPool<Value>(
  url: string,
  {
    size = 2,
    maxWaiting = 100,
    waitTimeout = 20_000,
    statementTimeout = 20_000,
    lockTimeout = 20_000,
    idleTimeout = 0,
    preparedStatements = true,
    connectTimeout = 5000,
  }: TestPoolOptions,
  work: (pool: ConnectionPool) => Promise<Value>,
): Promise<Value> {
  const limits = { statementTimeout, lockTimeout, idleTimeout, preparedStatements, connectTimeout };
  const hosts = new Hosts({ url: parseUrl(url), applicationName: 'watchword test', ...limits });
  const pool = new ConnectionPool(hosts, { size, maxWaiting, waitTimeout });
  try {
    return await work(pool);
  } finally {
    await pool.close();
  }
}
