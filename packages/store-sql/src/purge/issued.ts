import { type Kysely, sql } from 'kysely';
import type { DatabaseValue } from '../hot/columns.ts';
import { leastIdAt } from '../hot/token-id.ts';
import { tableWindows } from '../queries/table-windows.ts';
import type { Schema } from '../schema/schema.ts';

/** Rows that a restore removed. */
export interface EndedByRestore {
  readonly accessTokens: number;
  readonly refreshTokens: number;
  readonly authorizationCodes: number;
  readonly grants: number;
  readonly consents: number;
  readonly loginSessions: number;
}

/**
 * Removes all rows of a table in one step of the dialect, however many they are. Resolves with their number; `undefined` if that
 * is not possible here.
 */
export type EmptyTable = (db: Kysely<Schema>, table: keyof Schema) => Promise<number | undefined>;

interface EndedTable {
  readonly table: keyof Schema;
  readonly key: readonly string[];
  /** Smaller than the key of any row. */
  readonly start: readonly DatabaseValue[];
}

const byId = (table: keyof Schema): EndedTable => ({ table, key: ['id'], start: [Buffer.alloc(0)] });
const consents: EndedTable = {
  table: 'consent',
  key: ['client_record_id', 'identity_provider', 'principal_name', 'redirect_uri'],
  start: [-1, '', '', ''],
};
const sessionClients: EndedTable = {
  table: 'session_client',
  key: ['session_id', 'client_record_id', 'sid'],
  start: [Buffer.alloc(0), -1, ''],
};
const sessionLinks: EndedTable = { table: 'login_session_link', key: ['session_id'], start: [''] };

/**
 * Removes all codes and sessions, because one that was redeemed or ended after a backup must not be valid again; and tokens,
 * grants and consents that were issued at a time or later.
 *
 * @param from epoch milliseconds; 0 = all, `undefined` = no token, grant or consent
 */
export async function endIssued(
  db: Kysely<Schema>,
  from: number | undefined,
  emptyTable: EmptyTable,
): Promise<EndedByRestore> {
  const removeAll = async (ended: EndedTable) =>
    (await emptyTable(db, ended.table)) ?? (await removeInParts(db, ended));
  const removeIssued = async (ended: EndedTable) => {
    if (from === undefined) return 0;
    if (from === 0) return removeAll(ended);
    if (ended === consents) return removeInParts(db, ended, sql`saved_at >= ${from}`);
    // An id begins with the time of its issue.
    return removeInParts(db, { ...ended, start: [leastIdAt(from)] });
  };
  await removeAll(sessionLinks);
  await removeAll(sessionClients);
  return {
    authorizationCodes: await removeAll(byId('authorization_code')),
    loginSessions: await removeAll(byId('login_session')),
    // Tokens before their grants: a token of a grant that is missing is not valid, and nothing finds it for the purge.
    accessTokens: await removeIssued(byId('access_token')),
    refreshTokens: await removeIssued(byId('refresh_token')),
    consents: await removeIssued(consents),
    grants: await removeIssued(byId('authorization_grant')),
  };
}

/** Each part is a transaction of its own, so that no transaction is long, also in a large table. */
async function removeInParts(
  db: Kysely<Schema>,
  { table, key, start }: EndedTable,
  also = sql<boolean>`true`,
): Promise<number> {
  let total = 0;
  const remove = async (condition: ReturnType<typeof sql<boolean>>) => {
    const { numAffectedRows = 0n } =
      await sql`delete from ${sql.table(table)} where ${condition} and ${also}`.execute(db);
    return [Number(numAffectedRows)];
  };
  for await (const [rows = 0] of tableWindows(db, { table, where: 'true', key, start }, remove))
    total += rows;
  return total;
}
