import { DatabaseSync } from 'node:sqlite';
import { isUrl } from '@watchword/server-testkit/servers/engine';
import { tableNames } from '@watchword/server-testkit/servers/sql';
import { connect } from '@watchword/testkit/postgresql';

/** Gives all tables of a database the rows that they had at first. Disposal ends it. */
export interface Emptying extends AsyncDisposable {
  empty(): Promise<void>;
}

/**
 * Its connection lasts, and it leaves tables alone that have no row: to read the schema and to empty what is empty takes longer than
 * most tests.
 *
 * @param database the file, or the URL of a database of PostgreSQL
 */
export async function emptying(database: string): Promise<Emptying> {
  const tables = (await tableNames(database)).filter((name) => !/^(?:schema|sqlite)_/.test(name));
  return isUrl(database) ? emptyingUrl(database, tables) : emptyingFile(database, tables);
}

/** A query for the names of those that have rows. */
function filled(tables: readonly string[]): string {
  return tables
    .map((table) => `select '${table}' as name where exists (select 1 from "${table}")`)
    .join(' union all ');
}

async function emptyingUrl(database: string, tables: readonly string[]): Promise<Emptying> {
  const client = await connect(database);
  const inserts: string[] = [];
  for (const table of tables) {
    const { rows } = await client.query(`select to_json(t)::text as content from "${table}" as t`);
    for (const { content } of rows) {
      inserts.push(
        `insert into "${table}" select * from json_populate_record(null::"${table}", '${String(content).replaceAll("'", "''")}')`,
      );
    }
  }
  return {
    async empty() {
      const { rows } = await client.query({ name: 'filled', text: filled(tables) });
      const deletes = rows.map(({ name }) => `delete from "${name}"`);
      // Statements without parameters, which go to the server together and are one transaction.
      await client.query([...deletes, ...inserts].join('; '));
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

function emptyingFile(file: string, tables: readonly string[]): Emptying {
  // The tables are emptied in any order.
  const db = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: false });
  const kept = tables.map((table) => [table, db.prepare(`select * from "${table}"`).all()] as const);
  const inserts = kept.flatMap(([table, rows]) =>
    rows.map((row) => {
      const places = Object.keys(row).map(() => '?');
      const statement = db.prepare(`insert into "${table}" values (${places})`);
      return () => statement.run(...Object.values(row));
    }),
  );
  const filledTables = db.prepare(filled(tables));
  return {
    async empty() {
      db.exec('begin immediate');
      for (const { name } of filledTables.all()) db.exec(`delete from "${name}"`);
      for (const insert of inserts) insert();
      db.exec('commit');
    },
    async [Symbol.asyncDispose]() {
      db.close();
    },
  };
}
