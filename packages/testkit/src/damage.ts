import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const pageSize = 4096;

/** Pages of a database file that no process has open. */
export function countPages(file: string): number {
  return readFileSync(file).length / pageSize;
}

/** Overwrites a page, counted from 1. On page 1 the header of the file stays. */
export function damagePage(file: string, page: number): void {
  const bytes = readFileSync(file);
  bytes.fill(0xa5, page === 1 ? 100 : (page - 1) * pageSize, page * pageSize);
  writeFileSync(file, bytes);
}

/** The page of the table that contains these bytes. */
export function pageOf(file: string, table: string, bytes: Uint8Array): number {
  const content = readFileSync(file);
  const page = leafPages(file, table).find((number) =>
    content.subarray((number - 1) * pageSize, number * pageSize).includes(bytes),
  );
  if (page === undefined) throw new Error(`no page of ${table} has these bytes`);
  return page;
}

/** The pages with the rows of the table, in their order. */
export function leafPages(file: string, table: string): number[] {
  return pagesOf(file, "name = ? and pagetype = 'leaf' order by path", table);
}

/** The pages with the schema. */
export function schemaPages(file: string): Set<number> {
  return new Set(pagesOf(file, 'name = ?', 'sqlite_schema'));
}

function pagesOf(file: string, condition: string, name: string): number[] {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare(`select pageno from dbstat where ${condition}`).all(name);
  db.close();
  return rows.map(({ pageno }) => Number(pageno));
}
