import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../schema/schema.ts';

/**
 * Has PostgreSQL look at the tables that have statistics of less than half of their rows. Autovacuum does so later, and after an upgrade of
 * the server not before a table has changed much. Until then a list can read whole tables. Only the owner of a table may do it.
 */
export async function collectStatistics(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = to_regnamespace(current_schema()) and relkind = 'r' and pg_has_role(relowner, 'usage')
      and pg_relation_size(oid) > 0
      and (reltuples < 0 or pg_stat_get_mod_since_analyze(oid) > greatest(reltuples, 1000))`.execute(db);
  for (const { name } of rows) await sql`analyze (skip_locked) ${sql.table(name)}`.execute(db);
}
