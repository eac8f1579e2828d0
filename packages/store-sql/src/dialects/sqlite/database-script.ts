import { randomFillSync } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Random } from '@watchword/protocol';

/** The tables with a key that each database has of its own. */
export const keyTables = ['digest_key', 'subject_key'];

/**
 * Makes the tables of a database that has none. The migrations would take ten times as long.
 *
 * @param random fills its keys
 * @returns the migrations of which it is the result: all
 */
export async function makeTables(
  db: DatabaseSync,
  random: Random = { fill: randomFillSync },
): Promise<readonly string[]> {
  const { emptyDatabase } = await import('#empty-database');
  const { script, migrated } = await emptyDatabase();
  db.exec(script);
  for (const table of keyTables) {
    const key = new Uint8Array(32);
    random.fill(key);
    db.prepare(`update ${table} set key_bytes = ?`).run(key);
  }
  return migrated;
}

/** The tables, indexes and rows of a database, as SQL. */
export function scriptOf(db: DatabaseSync): string {
  const made = db.prepare("select type, name, sql from sqlite_schema where name not like 'sqlite_%'").all();
  const rows = made
    .filter(({ type }) => type === 'table')
    .flatMap(({ name }) => {
      const columns = db.prepare(`select name from pragma_table_info('${name}')`).all();
      const values = columns.map((column) => `quote(${column.name})`).join(` || ', ' || `);
      const insert = `select 'insert into ${name} values (' || ${values} || ')' as sql from ${name}`;
      return db.prepare(insert).all();
    });
  return ['begin', ...[...made, ...rows].map(({ sql }) => sql), 'commit'].join(';\n');
}
