import { type Kysely, sql } from 'kysely';
import { type Inspection, inspectSchema, type SeenServers } from '../../schema/migrate.ts';
import { countRecords, type RecordCounts } from '../../schema/record-counts.ts';
import type { Schema } from '../../schema/schema.ts';
import { type DatabaseOptions, toolName, withOpening } from './open.ts';
import { releaseOf, serverName } from './server-name.ts';

/** Compares a database with this release. @throws DatabaseOpenError if it cannot be read */
export async function inspectPostgresql(options: DatabaseOptions): Promise<Inspection> {
  return withOpening(options, toolName, async ({ db }) => ({
    ...(await inspectSchema(db)),
    servers: await connectedServers(db),
  }));
}

/** @throws DatabaseOpenError if it cannot be read */
export async function countPostgresql(options: DatabaseOptions): Promise<RecordCounts> {
  return withOpening(options, toolName, ({ db }) => countRecords(db));
}

async function connectedServers(db: Kysely<Schema>): Promise<SeenServers[]> {
  // A user without pg_read_all_stats sees the names of other users' connections, and not their times.
  const { rows } = await sql<{ name: string; connections: number; since: number | null }>`
    select application_name as name, count(*) as connections,
      (extract(epoch from min(backend_start)) * 1000)::bigint as since
    from pg_stat_activity
    where datname = current_database() and split_part(application_name, ' ', 1) = ${serverName}
    group by application_name order by application_name`.execute(db);
  return rows.map(({ name, connections, since }) => ({
    release: releaseOf(name),
    connections: Number(connections),
    since: since === null ? undefined : Number(since),
  }));
}
