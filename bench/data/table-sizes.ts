import { DatabaseSync } from 'node:sqlite';
import { query } from '@watchword/testkit/postgresql';

export interface TableSize {
  readonly table: string;
  readonly rows: number;
  /** Bytes on disk. */
  readonly tableBytes: number;
  readonly indexBytes: number;
}

/** Of a file that can be open in a server. */
export function sqliteSizes(file: string): readonly TableSize[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const sizes = database
    .prepare(
      `select tbl_name as name, sum(pgsize) filter (where type = 'table') as own,
        sum(pgsize) filter (where type = 'index') as indexes
      from (select name, pgsize from dbstat where aggregate = true) join sqlite_schema using (name)
      group by tbl_name`,
    )
    .all()
    .map(({ name, own, indexes }) => ({
      table: String(name),
      rows: Number(database.prepare(`select count(*) as rows from "${name}"`).get()?.rows),
      tableBytes: Number(own),
      indexBytes: Number(indexes ?? 0),
    }));
  database.close();
  return sizes;
}

export async function postgresqlSizes(url: string): Promise<readonly TableSize[]> {
  await query(url, 'analyze');
  const sizes = await query(
    url,
    `select relname as table, reltuples::int8 as rows, pg_table_size(oid) as "tableBytes",
      pg_indexes_size(oid) as "indexBytes"
    from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`,
  );
  return sizes as unknown as readonly TableSize[];
}

/** Prints the bytes of each row of these tables. */
export function reportRows(engine: string, sizes: readonly TableSize[], tables: readonly string[]): void {
  for (const { table, rows, tableBytes, indexBytes } of sizes) {
    if (!tables.includes(table)) continue;
    const each = (bytes: number) => (bytes / rows).toFixed(0);
    console.log(
      `${engine}, ${table}: ${rows} rows, ${each(tableBytes + indexBytes)} bytes each, ` +
        `${each(tableBytes)} in the table and ${each(indexBytes)} in its indexes`,
    );
  }
}

/** Prints the bytes of each login in all tables that logins have filled. */
export function reportLogin(engine: string, sizes: readonly TableSize[]): void {
  const logins = sizes.find(({ table }) => table === 'authorization_grant')?.rows ?? 0;
  const grown = sizes.filter(({ rows }) => rows > logins / 2);
  const each = (of: readonly TableSize[]) =>
    (of.reduce((sum, { tableBytes, indexBytes }) => sum + tableBytes + indexBytes, 0) / logins).toFixed(0);
  console.log(`\n${engine}, ${logins} logins: ${each(grown)} bytes each`);
  for (const size of grown) {
    console.log(`  ${size.table}: ${each([size])} bytes, ${(size.rows / logins).toFixed(2)} rows`);
  }
}

/** Prints by how many bytes each of these operations has enlarged the tables that grew. */
export function reportGrown(
  what: string,
  before: readonly TableSize[],
  after: readonly TableSize[],
  done: number,
): void {
  for (const { table, rows, tableBytes, indexBytes } of after) {
    const old = before.find((each) => each.table === table);
    const grown = tableBytes + indexBytes - (old?.tableBytes ?? 0) - (old?.indexBytes ?? 0);
    if (grown < done) continue;
    const newRows = (rows - (old?.rows ?? 0)) / done;
    console.log(`  ${what}, ${table}: ${(grown / done).toFixed(0)} bytes, ${newRows.toFixed(2)} rows`);
  }
}
