import { DatabaseSync } from 'node:sqlite';

/** A database that a development version from before the first release made. */
export function makeOlderDatabase(file: string): void {
  const db = new DatabaseSync(file);
  db.exec(`
    pragma application_id = ${0x57575244};
    create table schema_migration (name text primary key, timestamp text not null);
    insert into schema_migration values ('0001-initial', '2026-01-01'), ('0002-authorization', '2026-02-01');
    create table access_token (id blob primary key, scopes text);
    insert into access_token values (x'01', 'read');
  `);
  db.close();
}
