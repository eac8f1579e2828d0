import { type Kysely, sql } from 'kysely';
import { DatabaseOpenError } from '../../schema/database-open-error.ts';
import type { Schema } from '../../schema/schema.ts';
import { serverName } from './server-name.ts';

/**
 * Does the work if no server is connected.
 *
 * @throws DatabaseOpenError if a server is connected
 */
export async function withoutServers<Value>(
  db: Kysely<Schema>,
  shownUrl: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const { rows } = await sql<{ connections: number }>`
    select count(*) as connections from pg_stat_activity
    where datname = current_database() and split_part(application_name, ' ', 1) = ${serverName}`.execute(db);
  const connections = Number(rows[0]?.connections);
  if (connections === 0) return work();
  throw new DatabaseOpenError(
    `Servers use the database ${shownUrl}: they have ${connections} connections. Stop all servers, and then run the command again. A connection pooler can keep connections of servers that have ended: close them there.`,
  );
}
