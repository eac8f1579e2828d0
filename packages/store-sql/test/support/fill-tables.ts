import { DatabaseSync } from 'node:sqlite';

/** The tables of the database, without SQLite's and the migrations' own. */
export function tablesOf(file: string): string[] {
  return read(file, (db) =>
    db
      .prepare(
        "select name from sqlite_schema where type = 'table' and name not like 'sqlite%' and name not like 'schema_%'",
      )
      .all()
      .map(({ name }) => String(name))
      .sort(),
  );
}

/** Adds a row to each table, with any values of the types of its columns. */
export function fillTables(file: string): void {
  const db = new DatabaseSync(file);
  db.exec('begin');
  for (const table of tablesOf(file).filter((name) => name !== 'registry_revision')) {
    const columns = db.prepare(`pragma table_info("${table}")`).all();
    const values = columns.map(({ type }) => {
      if (type === 'BLOB') return 'randomblob(16)';
      return type === 'TEXT' ? "'[]'" : '77';
    });
    db.exec(`insert into "${table}" values (${values.join()})`);
  }
  db.exec('commit');
  db.close();
}

export function emptyTables(file: string): string[] {
  return read(file, (db) =>
    tablesOf(file).filter(
      (table) => db.prepare(`select exists (select 1 from "${table}") as found`).get()?.found === 0,
    ),
  );
}

function read<Value>(file: string, work: (db: DatabaseSync) => Value): Value {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return work(db);
  } finally {
    db.close();
  }
}
