import { tableNames } from '@watchword/server-testkit/sql';
import { query } from '@watchword/testkit/postgresql';

/** Returns a function that gives all tables of a database of PostgreSQL the rows that they have now. */
export async function emptying(database: string): Promise<() => Promise<unknown>> {
  const tables = (await tableNames(database)).filter((name) => !name.startsWith('schema_'));
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
