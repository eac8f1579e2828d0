import type { DatabaseSync } from 'node:sqlite';
import { idFromBytes } from '../../src/hot/token-id.ts';

export const underGrants = ['access_token', 'authorization_code', 'refresh_token'] as const;

/** The ids in a table, sorted. */
export function idsIn(
  db: DatabaseSync,
  table: (typeof underGrants)[number] | 'authorization_grant' | 'login_session',
): string[] {
  const rows = db.prepare(`select id from ${table} order by id`).all();
  return rows.map(({ id }) => idFromBytes(id as Uint8Array));
}

/** The tables that have rows of a removed grant. */
export function tablesWithOrphans(db: DatabaseSync): string[] {
  return underGrants.filter(
    (table) =>
      db
        .prepare(
          `select 1 from ${table} where grant_id is not null and grant_id not in (select id from authorization_grant)`,
        )
        .get() !== undefined,
  );
}
