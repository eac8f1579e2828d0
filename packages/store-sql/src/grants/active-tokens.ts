import type { Kysely } from 'kysely';
import { type OrderedTable, tableWindows } from '../queries/table-windows.ts';
import type { Schema } from '../schema/schema.ts';
import type { TokenSegments } from './token-segments.ts';

const firstId = Buffer.alloc(0);

/** All tokens, in the order of the smallest index that has all of them. */
function all({ indexKey: key }: TokenSegments): OrderedTable {
  return {
    table: 'access_token',
    where: 'client_record_id >= 0',
    key,
    start: key.map((column) => (column === 'id' ? firstId : 0)),
  };
}

/** Expired tokens that the purge has not removed yet, in the order of the index of expiry. */
function expired(now: number): OrderedTable {
  return {
    table: 'access_token',
    where: `expires > 0 and expires <= ${now}`,
    key: ['expires', 'id'],
    start: [0, firstId],
  };
}

/**
 * Counts the stored access tokens that have not expired, in small parts of two indexes. Tokens of a revoked grant or of a
 * deleted client are among them until the purge removes them.
 *
 * @param now epoch milliseconds
 * @param signal stops between two parts
 */
export async function countActiveTokens(
  db: Kysely<Schema>,
  segments: TokenSegments,
  now: number,
  signal: AbortSignal,
): Promise<number> {
  const tokens = await countRows(db, all(segments), signal);
  return Math.max(0, tokens - (await countRows(db, expired(now), signal)));
}

async function countRows(db: Kysely<Schema>, table: OrderedTable, signal: AbortSignal): Promise<number> {
  const windows = tableWindows(db, table, (condition) =>
    db
      .selectFrom(table.table)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .where(condition)
      .execute(),
  );
  let total = 0;
  for await (const [window] of windows) {
    signal.throwIfAborted();
    total += Number(window?.rows);
  }
  return total;
}
