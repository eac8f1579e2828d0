import { idFromBytes } from '../../src/hot/token-id.ts';
import type { TestDatabase } from './test-database.ts';

export const underGrants = ['access_token', 'authorization_code', 'refresh_token'] as const;

/** The ids in a table, sorted. */
export async function idsIn(
  database: Pick<TestDatabase, 'sql'>,
  table: (typeof underGrants)[number] | 'authorization_grant' | 'login_session',
): Promise<string[]> {
  const rows = await database.sql(`select id from ${table} order by id`);
  return rows.map(({ id }) => idFromBytes(id as Uint8Array));
}

/** The tables that have rows of a removed grant. */
export async function tablesWithOrphans(database: TestDatabase): Promise<string[]> {
  const orphans = 'where grant_id is not null and grant_id not in (select id from authorization_grant)';
  const counts = await Promise.all(underGrants.map((table) => database.count(`${table} ${orphans}`)));
  return underGrants.filter((_, index) => counts[index] !== 0);
}
