import { randomUUID } from 'node:crypto';
import type { Databases, PostgresqlDatabase } from './databases.ts';
import { query } from './query.ts';

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
export async function citusDatabases(url: string): Promise<Databases> {
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
    async template(name, fill) {
      fills.set(name, fill);
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
