import { DatabaseOpenError } from '../schema/database-open-error.ts';
import type { MovableDatabase, Row, TableReader } from './movable-database.ts';
import { type Copied, noteCopied } from './move-state.ts';
import type { MovedTable } from './moved-tables.ts';
import { positionOf, tablePages } from './table-pages.ts';

/**
 * Copies the rows that are not copied yet. Each page, and how far the copy is, are one transaction of the target.
 *
 * @returns number of rows, those of an earlier run included
 */
export async function copyTable(
  snapshot: TableReader,
  target: MovableDatabase,
  moved: MovedTable,
  before: Copied | undefined,
  onRows: (rows: number) => void,
): Promise<number> {
  let count = before?.rows ?? 0;
  onRows(count);
  for await (const rows of tablePages(snapshot, moved, before?.last)) {
    requireStorable(moved, rows);
    count += rows.length;
    const last = positionOf(moved, rows.at(-1) as Row);
    await target.db.transaction().execute(async (transaction) => {
      await target.insert(transaction, moved.table, rows);
      await noteCopied(transaction, moved, { rows: count, last });
    });
    onRows(count);
  }
  return count;
}

/** PostgreSQL cannot store the character U+0000, and the rules never write it. */
function requireStorable(moved: MovedTable, rows: readonly Row[]): void {
  for (const row of rows) {
    for (const [column, value] of Object.entries(row)) {
      if (typeof value !== 'string' || !value.includes('\0')) continue;
      throw new DatabaseOpenError(
        `The table ${moved.table} has the character U+0000 in the column ${column}, which PostgreSQL cannot store. No release of Watchword writes it. Remove it from the row whose ${moved.key.join(', ')} is ${JSON.stringify(positionOf(moved, row))}, and move again.`,
      );
    }
  }
}
