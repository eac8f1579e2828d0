import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { sqliteDialect } from '../../src/dialects/sqlite/dialect.ts';
import { SqliteWriter } from '../../src/dialects/sqlite/writer.ts';
import { migrations } from '../../src/migrations/index.ts';
import type { Schema } from '../../src/schema.ts';

/** Makes the database as the release with that last migration made it. */
export async function migrateUpTo(file: string, last: string): Promise<void> {
  const known = Object.entries(migrations).filter(([name]) => name <= last);
  const writer = await SqliteWriter.open({ file, busyTimeout: 1000, mayCreate: true }, () => {});
  try {
    const migrator = new Migrator({
      db: new Kysely<Schema>({ dialect: sqliteDialect(writer) }),
      provider: { getMigrations: () => Promise.resolve(Object.fromEntries(known)) },
      migrationTableName: 'schema_migration',
      migrationLockTableName: 'schema_migration_lock',
    });
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
  } finally {
    await writer.close();
  }
}
