import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { SnapshotRead } from './snapshot-reads.ts';

/** A table, and an order in which an index or the table itself has all of its rows. */
export interface OrderedTable {
  readonly table: string;
  /** Which rows are meant. */
  readonly where: string;
  readonly key: readonly string[];
  /** Less than the key of any row. */
  readonly start: readonly SQLInputValue[];
}

// Rows that are read at once, in a millisecond or two.
const size = 1000;

/**
 * Reads a whole table on the connection that only reads, window by window, so that others get their turn between.
 *
 * @param columns what the select needs of a row
 * @param select of a window, which stands in it as `from`
 * @param parameters of the select
 */
export async function* windows<Row>(
  { reader, read }: { readonly reader: DatabaseSync; readonly read: SnapshotRead },
  { table, where, key, start }: OrderedTable,
  columns: string,
  select: (from: string) => string,
  ...parameters: SQLInputValue[]
): AsyncGenerator<Row[]> {
  const order = key.join(', ');
  const after = `from ${table} where ${where} and (${order}) > (${key.map(() => '?').join(', ')}) order by ${order}`;
  const rowsOf = arrays(reader.prepare(select(`(select ${columns} ${after} limit ${size})`)));
  const lastOf = arrays(reader.prepare(`select ${order} ${after} limit 1 offset ${size - 1}`));
  let position: readonly SQLInputValue[] | undefined = start;
  while (position !== undefined) {
    const from: readonly SQLInputValue[] = position;
    const [rows, last] = await read(() => [rowsOf.all(...from, ...parameters), lastOf.get(...from)]);
    yield rows as unknown as Row[];
    position = last as unknown as readonly SQLInputValue[] | undefined;
  }
}

function arrays(statement: StatementSync): StatementSync {
  statement.setReturnArrays(true);
  return statement;
}
