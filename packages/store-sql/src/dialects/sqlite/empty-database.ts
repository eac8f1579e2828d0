import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { applyMigrations } from '../../schema/migrate.ts';
import type { Schema } from '../../schema/schema.ts';
import { sqliteColumnTypes } from './column-types.ts';
import { keyTables, scriptOf } from './database-script.ts';
import { sqliteDialect } from './dialect.ts';
import { localConnection, shared } from './threads/reader.ts';

/** A database to which all migrations were applied, and nothing else. Its keys are zeros. */
export interface EmptyDatabase {
  /** Makes it, as SQL. */
  readonly script: string;
  /** The migrations. */
  readonly migrated: readonly string[];
}

let made: Promise<EmptyDatabase> | undefined;

/** By the migrations, which take ten times as long as the script. A published package has the result (`prepare-database.js`). */
export function emptyDatabase(): Promise<EmptyDatabase> {
  made ??= migrated();
  return made;
}

async function migrated(): Promise<EmptyDatabase> {
  const db = new DatabaseSync(':memory:');
  try {
    const kysely = new Kysely<Schema>({ dialect: sqliteDialect(shared(localConnection(db))) });
    const names = await applyMigrations(kysely, sqliteColumnTypes, 'all');
    for (const table of keyTables) db.exec(`update ${table} set key_bytes = zeroblob(32)`);
    return { script: scriptOf(db), migrated: names };
  } finally {
    db.close();
  }
}
