import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { citusDatabases } from './citus.ts';
import { type Databases, databasesOf } from './databases.ts';
import type { PostgresqlServer } from './server.ts';

/** Environment variable with the URL at which the runner tells its processes where the server of the run is. */
const variable = 'TEST_POSTGRESQL';

/** Environment variable with the URL of a Citus cluster, if the run is about it. */
const citusVariable = 'TEST_CITUS';

/** Databases live for a test, and nothing of the run survives it. */
const settings = {
  max_connections: '500',
  autovacuum: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

let shared: Promise<Databases> | undefined;

/**
 * The server of this run of tests, started when a test first asks: one for all processes of the runner, or one for a process
 * that runs without it. It ends with the run or the process.
 */
export function postgresqlServer(): Promise<Databases> {
  const runner = process.env[variable];
  const citus = process.env[citusVariable];
  if (citus !== undefined) shared ??= citusDatabases(citus);
  shared ??= runner === undefined ? ownServer() : serverOfRun(runner);
  return shared;
}

async function ownServer(): Promise<Databases> {
  const server = await start();
  server.unref();
  return server;
}

/** Loading what starts a server takes longer than many runs of tests. */
async function start(): Promise<PostgresqlServer> {
  const { startPostgresql } = await import('./server.ts');
  return startPostgresql({ settings });
}

async function serverOfRun(runner: string): Promise<Databases> {
  const answer = await fetch(runner);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The PostgreSQL server of this run does not start: ${text}`);
  return databasesOf(text);
}

/** Makes this process the one that has the server of a run; processes that it starts from now on find it. */
export async function offerPostgresqlServer(): Promise<AsyncDisposable> {
  let server: Promise<PostgresqlServer> | undefined;
  // The answer has the password of the superuser, so that others on the machine must not get it.
  const path = `/${randomUUID()}`;
  const listener = createServer((request, response) => {
    if (request.url !== path) return void response.writeHead(404).end();
    server ??= start();
    server.then(
      (started) => response.end(started.url('').replace(/\/$/, '')),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  process.env[variable] = `http://127.0.0.1:${(listener.address() as AddressInfo).port}${path}`;
  return {
    async [Symbol.asyncDispose]() {
      delete process.env[variable];
      listener.closeAllConnections();
      listener.close();
      const started = await server?.catch(() => undefined);
      await started?.[Symbol.asyncDispose]();
    },
  };
}
