import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { DatabaseValue } from '../hot/columns.ts';
import { DatabaseOpenError } from '../schema/database-open-error.ts';
import type { Schema } from '../schema/schema.ts';
import type { MovableDatabase, Row, TableReader } from './movable-database.ts';
import { type Copied, noteCopied, type Position } from './move-state.ts';
import type { MovedTable } from './moved-tables.ts';

// A row of a table of tokens has about 200 bytes, an audit event some thousand.
const rowsPerPage = 1000;

/**
 * Reads a table in the order of its key. The next page is read while the caller works on one.
 *
 * @param after the key of the last row that is not needed
 */
async function* tablePages(
  reader: TableReader,
  moved: MovedTable,
  after: Position | undefined,
): AsyncGenerator<readonly Row[]> {
  const read = (position: Position | undefined) =>
    readPage(reader.db, moved, position).catch((error) => {
      throw reader.explain(error);
    });
  let next = read(after);
  for (;;) {
    const rows = await next;
    const last = rows.at(-1);
    if (last === undefined) return;
    next = rows.length < rowsPerPage ? Promise.resolve([]) : read(positionOf(moved, last));
    // The caller can stop before it asks for the next page.
    next.catch(() => {});
    yield rows;
  }
}

function positionOf({ key }: MovedTable, row: Row): Position {
  return key.map((column) => row[column] ?? null);
}

async function readPage(
  db: Kysely<Schema>,
  { table, key }: MovedTable,
  after: Position | undefined,
): Promise<readonly Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let query = db.selectFrom(table).selectAll().limit(rowsPerPage);
  if (after !== undefined) query = query.where(sql<boolean>`(${columns}) > (${sql.join(after)})`);
  for (const column of key) query = query.orderBy(sql.ref(column));
  const rows = (await query.execute()) as unknown as Row[];
  // The number of a shard follows from the key, and only some databases have it.
  return rows.map(({ shard: _, ...row }) => row);
}

/** Number of rows of a table, and the SHA-256 digest of all their values in the order of the key, in hexadecimal digits. */
interface TableDigest {
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
