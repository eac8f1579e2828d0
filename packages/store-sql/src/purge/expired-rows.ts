import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema/schema.ts';

type ExpiringTable = {
  [Table in keyof Schema]: 'expires' extends keyof Schema[Table] ? Table : never;
}[keyof Schema];

/** Which rows of a table are removed: those that expired before a time, the oldest first. */
export interface ExpiredRows<Table extends ExpiringTable> {
  readonly table: Table;
  /** The columns of its primary key. */
  readonly key: readonly (keyof Schema[Table] & string)[];
  /** Epoch milliseconds. */
  readonly before: number;
  readonly limit: number;
}

/** Removes expired rows. A row whose expiry is 0 never expires. */
export async function deleteExpiredRows<Table extends ExpiringTable>(
  db: Kysely<Schema>,
  { table, key, before, limit }: ExpiredRows<Table>,
): Promise<number> {
  const [rows, id] = [sql.table(table), sql.join(key.map((column) => sql.ref(column)))];
  const { numAffectedRows = 0n } = await sql`
    delete from ${rows} where (${id}) in (
      select ${id} from ${rows} where expires > 0 and expires < ${before} order by expires limit ${limit})
  `.execute(db);
  return Number(numAffectedRows);
}
