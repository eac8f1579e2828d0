import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Databases, databasesOf, type PostgresqlDatabase } from './databases.ts';
import { query } from './query.ts';
import type { PostgresqlServer } from './server.ts';

/** A machine of a cluster. */
interface Machine {
  readonly host: string;
  readonly port: number;
  readonly isCoordinator: boolean;
}

/**
 * The databases of a running Citus cluster. Each has the extension on every machine and no table. A template is not copied, but
 * filled for each database, because PostgreSQL copies no distributed tables.
 *
 * @param url of a database of the coordinator, for the superuser, who must be able to connect to every machine
 */
async function citusDatabases(url: string): Promise<Databases> {
  const rows = await query(
    url,
    'select nodename, nodeport, groupid = 0 as is_coordinator from pg_dist_node order by groupid',
  );
  const machines = rows.map(({ nodename, nodeport, is_coordinator }) => ({
    host: String(nodename),
    port: Number(nodeport),
    isCoordinator: is_coordinator === true,
  }));
  if (machines.length < 2) throw new Error(`expected a coordinator with workers at ${url}`);
  const fills = new Map<string, (url: string) => Promise<unknown>>();
  const at = (database: string, machine?: Machine) => urlAt(url, database, machine);

  const drop = async (name: string) => {
    for (const machine of machines) {
      await endPrepared(name, at('postgres', machine), at(name, machine));
      await query(at('postgres', machine), `drop database if exists ${name} with (force)`);
    }
  };
  return {
    url: (database = 'postgres') => at(database),
    async createDatabase(template): Promise<PostgresqlDatabase> {
      const name = `test_${randomUUID().replaceAll('-', '')}`;
      for (const machine of machines) {
        await query(at('postgres', machine), `create database ${name}`);
        await query(at(name, machine), 'create extension citus');
      }
      for (const { host, port, isCoordinator } of machines) {
        const add = isCoordinator ? 'citus_set_coordinator_host' : 'citus_add_node';
        await query(at(name), `select ${add}($1, $2)`, [host, port]);
      }
      if (template !== undefined) await fills.get(template)?.(at(name));
      return { name, url: at(name), drop: () => drop(name), [Symbol.asyncDispose]: () => drop(name) };
    },
    async template(name, fill, from) {
      fills.set(name, async (filled) => {
        if (from !== undefined) await fills.get(from)?.(filled);
        await fill(filled);
      });
      return name;
    },
  };
}

/** A server that was killed during a commit of several machines leaves its part prepared, and a database with it is not dropped. */
async function endPrepared(name: string, outside: string, inside: string): Promise<void> {
  const prepared = await query(
    outside,
    `select format('rollback prepared %L', gid) as statement from pg_prepared_xacts where database = $1`,
    [name],
  );
  for (const { statement } of prepared) await query(inside, String(statement));
}

function urlAt(url: string, database: string, machine?: Machine): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  if (machine !== undefined) changed.host = `${machine.host}:${machine.port}`;
  return changed.href;
}

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
