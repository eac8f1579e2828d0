import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../../schema/schema.ts';
import type { PostgresqlSettings } from '../options.ts';
import type { Check } from './check.ts';

interface Limit {
  /** As a sentence names it. */
  readonly name: string;
  readonly most: number;
  readonly used: number;
  readonly advice: string;
}

/** Whether the connections are free that all processes of one server can open. */
export const connections: Check = async ({ db, open, settings }) => {
  const needed = neededBy(settings);
  const limits = await limitsOf(db);
  const [first] = limits;
  // An engine that has no such limit.
  if (first === undefined) return { checked: 'connections without a limit' };
  const own = open();
  const warnings = limits.flatMap(({ name, most, used, advice }) => {
    const free = Math.max(most - used + own, 0);
    if (free >= needed) return [];
    return [`A server opens up to ${needed} connections, and ${name} leaves ${free} for it. ${advice}`];
  });
  return {
    checked: `connections (${first.used} of ${first.most} in use, a server opens up to ${needed})`,
    warnings,
  };
};

function neededBy(settings: PostgresqlSettings): number {
  const { processes, connections, otherConnections, listen, preparedStatements } = settings;
  // Behind a pooler only the listening connection is one of PostgreSQL.
  const pooled = preparedStatements ? connections + otherConnections : 0;
  return processes * (pooled + (listen === undefined ? 0 : 1));
}

const smallerPools =
  'lower postgresql.connections and postgresql.otherConnections, run fewer workers, or use a connection pooler.';

async function limitsOf(db: Kysely<Schema>): Promise<Limit[]> {
  const { rows } = await limitsQuery.execute(db);
  const [found] = rows;
  if (found === undefined || found.max_connections === null) return [];
  const { role_name: role, database_name: database } = found;
  const limit = (name: string, most: number | null, used: number, advice: string): Limit[] =>
    most === null || most < 0
      ? []
      : [{ name, most: Number(most), used: Number(used), advice: `${advice}, ${smallerPools}` }];
  return [
    ...limit('max_connections', found.max_connections, found.used, 'Raise max_connections'),
    ...limit(
      `the connection limit of the role ${role}`,
      found.role_limit,
      found.used_by_role,
      `Raise it (alter role ${role} connection limit …)`,
    ),
    ...limit(
      `the connection limit of the database ${database}`,
      found.database_limit,
      found.used_in_database,
      `Raise it (alter database ${database} connection limit …)`,
    ),
  ];
}

interface Found {
  /** As a command of SQL has them. */
  readonly role_name: string;
  readonly database_name: string;
  /** Without those that are reserved for other roles. */
  readonly max_connections: number | null;
  readonly role_limit: number | null;
  readonly database_limit: number | null;
  readonly used: number;
  readonly used_by_role: number;
  readonly used_in_database: number;
}

// A role without the right to see them reads no kind of the sessions of other roles. Replication has no database.
const limitsQuery = sql<Found>`
  select quote_ident(current_user) as role_name, quote_ident(current_database()) as database_name,
    cast(current_setting('max_connections', true) as integer) - case when roles.rolsuper then 0 else
      coalesce(cast(current_setting('superuser_reserved_connections', true) as integer), 0)
      + coalesce(cast(current_setting('reserved_connections', true) as integer), 0) end as max_connections,
    case when roles.rolsuper then -1 else roles.rolconnlimit end as role_limit,
    case when roles.rolsuper then -1 else databases.datconnlimit end as database_limit,
    sessions.used, sessions.used_by_role, sessions.used_in_database
  from pg_roles roles, pg_database databases, (
    select count(*) as used,
      count(*) filter (where usename = current_user) as used_by_role,
      count(*) filter (where datname = current_database()) as used_in_database
    from pg_stat_activity
    where coalesce(backend_type, 'client backend') = 'client backend' and usesysid is not null and datid is not null
  ) sessions
  where roles.rolname = current_user and databases.datname = current_database()`;
