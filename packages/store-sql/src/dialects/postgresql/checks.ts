import type { Clock } from '@watchword/protocol';
import { type Kysely, sql } from 'kysely';
import { missingMigrations, schemaProblem, schemaState } from '../../schema/migrate.ts';
import type { Schema } from '../../schema/schema.ts';
import type { PostgresqlSettings } from './options.ts';

/** What a check reads. */
export interface Checked {
  readonly db: Kysely<Schema>;
  /** The connections of this process that are open. */
  readonly open: () => number;
  readonly settings: PostgresqlSettings;
  readonly clock: Clock;
}

/** The result of a check, in sentences with advice. */
export interface CheckResult {
  /** What was checked, with the value that was found. */
  readonly checked: string;
  /** What keeps servers from working, or loses tokens. */
  readonly findings?: readonly string[];
  readonly warnings?: readonly string[];
}

export type Check = (checked: Checked) => Promise<CheckResult>;

// The clocks of nodes can differ by two seconds without harm.
const clockDifference = 2000;

export const clockOfDatabase: Check = async ({ db, clock }) => {
  const before = clock.now();
  const { rows } = await sql<{ now: number }>`
    select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now`.execute(db);
  const after = clock.now();
  const now = Number(rows[0]?.now);
  // The database read its clock at some time in between.
  const difference = Math.round(now > after ? now - after : Math.min(0, now - before));
  return {
    checked: `clock (${Math.abs(difference)} ms from that of this machine)`,
    warnings:
      Math.abs(difference) <= clockDifference
        ? []
        : [
            `The clock of the database is ${Math.abs(difference)} ms ${difference > 0 ? 'ahead of' : 'behind'} the clock of this machine. Synchronize the clocks of all machines by NTP.`,
          ],
  };
};

// PostgreSQL stops writes at about 2.1 thousand million, and begins to warn 40 million before.
const mostTransactions = 1_500_000_000;

export const transactionAge: Check = async ({ db }) => {
  const { rows } = await sql<{ age: number }>`
    select age(datfrozenxid) as age from pg_database where datname = current_database()`.execute(db);
  const age = Number(rows[0]?.age ?? 0);
  return {
    checked: `oldest transaction id (${age} transactions old)`,
    warnings:
      age < mostTransactions
        ? []
        : [
            `The oldest transaction id is ${age} transactions old, and PostgreSQL stops all writes at about 2100000000. Find out what keeps autovacuum from its work, such as an old transaction or replication slot, and run VACUUM.`,
          ],
  };
};

/** A database with an old version or another encoding than UTF8 is not opened, so they are only named. */
export const version: Check = async ({ db }) => {
  const { server_version, server_encoding } = await settingsOfServer(db, 'server_version', 'server_encoding');
  return { checked: `version ${server_version}, encoding ${server_encoding}` };
};

/** Without them, a crash of the machine can damage the database. */
const durable = ['fsync', 'full_page_writes'] as const;

export const durability: Check = async ({ db }) => {
  const found = Object.entries(await settingsOfServer(db, ...durable));
  return {
    checked: found.map(([name, value]) => `${name} ${value}`).join(', '),
    findings: found.flatMap(([name, value]) =>
      value === 'off'
        ? [`${name} is off: a crash of the machine can damage the database, or lose tokens. Set it to on.`]
        : [],
    ),
  };
};

const durableCommits: ReadonlySet<string> = new Set(['on', 'remote_apply', 'unknown']);

/** The connections of servers and commands set it for themselves, so the value is that of other programs. */
export const commits: Check = async ({ db }) => {
  const { rows } = await sql<{ role: string; commits: string }>`
    select current_user as role, reset_val as commits from pg_settings where name = 'synchronous_commit'`.execute(
    db,
  );
  const { role = '', commits = 'unknown' } = rows[0] ?? {};
  return {
    checked: `synchronous_commit ${commits}`,
    warnings: durableCommits.has(commits)
      ? []
      : [
          `synchronous_commit is ${commits} for the role ${role}. Servers commit with on all the same, so no answered token is lost; what other programs write as this role can be. Set it to on: alter role "${role}" set synchronous_commit = on.`,
        ],
  };
};

export const checksums: Check = async ({ db }) => {
  const { data_checksums } = await settingsOfServer(db, 'data_checksums');
  return {
    checked: `data_checksums ${data_checksums}`,
    warnings:
      data_checksums === 'off'
        ? [
            'data_checksums is off: PostgreSQL does not notice a page that the disk has damaged. Stop PostgreSQL, and run pg_checksums --enable.',
          ]
        : [],
  };
};

/** The values of settings of PostgreSQL; `unknown` for one that this engine does not have. */
async function settingsOfServer<Name extends string>(
  db: Kysely<Schema>,
  ...names: readonly Name[]
): Promise<Record<Name, string>> {
  const values = names.map(
    (name) => sql`coalesce(current_setting(${name}, true), 'unknown') as ${sql.ref(name)}`,
  );
  const { rows } = await sql<Record<Name, string>>`select ${sql.join(values)}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a select without a table has one row');
  return row;
}

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

export const schema: Check = async ({ db }) => {
  const state = await schemaState(db);
  const problem = schemaProblem(state);
  const missing = missingMigrations(state);
  const lacking = `The database lacks the migrations ${missing.join(', ')}. Run "watchword migrate" as the role that owns the tables. A server whose role owns them does so at its start.`;
  const waiting = `The migrations ${state.deferrable.join(', ')} wait until every node is of this release. Then run "watchword migrate --finish" as the role that owns the tables.`;
  return {
    checked: `schema (migration ${state.applied.at(-1) ?? 'none'})`,
    findings: [
      ...(problem === undefined ? [] : [`The database ${problem}`]),
      ...(problem === undefined && missing.length > 0 ? [lacking] : []),
    ],
    warnings: problem === undefined && missing.length === 0 && state.deferrable.length > 0 ? [waiting] : [],
  };
};

const needed = ['select', 'insert', 'update', 'delete'] as const;

/** Whether this role can do with each table what a server does. */
export const rights: Check = async ({ db }) => {
  const { rows } = await sql<{ name: string; lacking: string }>`
    select tables.relname as name, string_agg(needed.right_name, ', ' order by needed.right_name) as lacking
    from pg_class tables
    join pg_namespace spaces on spaces.oid = tables.relnamespace and spaces.nspname = current_schema()
    cross join unnest(${sql.raw(`array['${needed.join("', '")}']`)}) needed (right_name)
    where tables.relkind in ('r', 'p') and not has_table_privilege(tables.oid, needed.right_name)
    group by tables.relname order by tables.relname`.execute(db);
  const { rows: roles } = await sql<{ name: string; word: string }>`
    select current_user as name, quote_ident(current_user) as word`.execute(db);
  const role = roles[0]?.name ?? 'this role';
  return {
    checked: `rights of the role ${role}`,
    findings: rows.map(
      ({ name, lacking }) =>
        `The role ${role} lacks the right to ${lacking} in the table ${name}. As the owner of the table, run: grant ${needed.join(', ')} on ${name} to ${roles[0]?.word}.`,
    ),
  };
};

/** An index whose creation failed is not used, and a unique one does not keep rows unique. */
export const indexes: Check = async ({ db }) => {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(indexes.relname) as name
    from pg_index
    join pg_class indexes on indexes.oid = pg_index.indexrelid
    join pg_namespace spaces on spaces.oid = indexes.relnamespace and spaces.nspname = current_schema()
    where not pg_index.indisvalid order by indexes.relname`.execute(db);
  return {
    checked: 'indexes',
    findings: rows.map(({ name }) => `The index ${name} is not valid. Run: reindex index ${name}.`),
  };
};
