import { createHash } from 'node:crypto';
import type { DatabaseValue } from '../hot/columns.ts';
import type { Row, TableReader } from './movable-database.ts';
import type { MovedTable } from './moved-tables.ts';
import { tablePages } from './table-pages.ts';

/** Number of rows of a table, and the SHA-256 digest of all their values in the order of the key, in hexadecimal digits. */
export interface TableDigest {
  readonly rows: number;
  readonly digest: string;
}

/** Reads the whole table. @param onPage called with the number of rows of each page */
export async function digestTable(
  reader: TableReader,
  moved: MovedTable,
  onPage: (rows: number) => void,
): Promise<TableDigest> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const rows of tablePages(reader, moved, undefined)) {
    for (const row of rows) hash.update(textOf(row));
    count += rows.length;
    onPage(rows.length);
  }
  return { rows: count, digest: hash.digest('hex') };
}

/** The values in the order of the names of their columns: the two databases can have the columns in another order. */
function textOf(row: Row): string {
  const values = Object.keys(row)
    .toSorted()
    .map((column) => [column, printable(row[column] ?? null)]);
  return JSON.stringify(values);
}

function printable(value: DatabaseValue): unknown {
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('hex') } : value;
}
