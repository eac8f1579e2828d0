import { DatabaseSync } from 'node:sqlite';
import { isUrl } from '@watchword/server-testkit/engine';
import { tableNames } from '@watchword/server-testkit/sql';
import { query } from '@watchword/testkit/postgresql';

/**
 * Returns a function that gives all tables of a database the rows that they have now.
 *
 * @param database the file, or the URL of a database of PostgreSQL
 */
export async function emptying(database: string): Promise<() => Promise<unknown>> {
  const tables = (await tableNames(database)).filter((name) => !/^(?:schema|sqlite)_/.test(name));
  return isUrl(database) ? emptyingUrl(database, tables) : emptyingFile(database, tables);
}

async function emptyingUrl(database: string, tables: readonly string[]): Promise<() => Promise<unknown>> {
  // Statements without parameters, which go to the server together and are one transaction.
  const statements = await Promise.all(
    tables.map(async (table) => {
      const rows = await query(database, `select to_json(t)::text as content from "${table}" as t`);
      const inserts = rows.map(
        ({ content }) =>
          `insert into "${table}" select * from json_populate_record(null::"${table}", '${String(content).replaceAll("'", "''")}')`,
      );
      return [`delete from "${table}"`, ...inserts];
    }),
  );
  return () => query(database, statements.flat().join('; '));
}

function emptyingFile(file: string, tables: readonly string[]): () => Promise<void> {
  const kept = onFile(file, (db) =>
    tables.map((table) => [table, db.prepare(`select * from "${table}"`).all()] as const),
  );
  return async () =>
    onFile(file, (db) => {
      db.exec('begin immediate');
      for (const [table, rows] of kept) {
        db.exec(`delete from "${table}"`);
        for (const row of rows) {
          const places = Object.keys(row).map(() => '?');
          db.prepare(`insert into "${table}" values (${places})`).run(...Object.values(row));
        }
      }
      db.exec('commit');
    });
}

function onFile<Value>(file: string, work: (db: DatabaseSync) => Value): Value {
  // The tables are emptied in any order.
  const db = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: false });
  try {
    return work(db);
  } finally {
    db.close();
  }
}
