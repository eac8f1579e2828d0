import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Kysely, sql } from 'kysely';
import { sqliteColumnTypes } from '../src/dialects/sqlite/column-types.ts';
import { sqliteDialect } from '../src/dialects/sqlite/dialect.ts';
import { SqliteWriter } from '../src/dialects/sqlite/writer.ts';
import { migrateSqlite } from '../src/index.ts';
import { type KnownMigrations, migrateToLatest, schemaProblem, schemaState } from '../src/migrate.ts';
import { migrations } from '../src/migrations/index.ts';
import type { Migration } from '../src/migrations/migration.ts';
import type { Schema } from '../src/schema.ts';
import { keywords } from './support/sql-keywords.ts';
import { testDatabase } from './support/test-database.ts';

const names = Object.keys(migrations);

/** Makes a table with this name; `after` runs later in the same migration. */
function makes(table: string, after: Migration['up'] = async () => {}): Migration {
  return {
    async up(db, types) {
      await db.schema.createTable(table).addColumn('id', types.integer).execute();
      await after(db, types);
    },
  };
}

const first = { '0001-first': makes('one') };
const both = { ...first, '0002-second': makes('two') };
const three = { ...both, '0003-third': makes('three') };

async function emptyDatabase(file: string) {
  const writer = await SqliteWriter.open({ file, busyTimeout: 1000, mayCreate: true }, () => {});
  const db = new Kysely<Schema>({ dialect: sqliteDialect(writer) });
  return {
    migrate: (known: KnownMigrations) => migrateToLatest(db, sqliteColumnTypes, known),
    state: (known: KnownMigrations) => schemaState(db, known),
    tables: async () =>
      (await db.introspection.getTables())
        .map(({ name }) => name)
        .filter((name) => !name.startsWith('schema_'))
        .toSorted(),
    forget: (name: string) => sql`delete from schema_migration where name = ${name}`.execute(db),
    [Symbol.asyncDispose]: () => writer.close(),
  };
}

describe('the migrations', () => {
  it('have a number each, and are listed in the order of their numbers', () => {
    const numbers = names.map((name) => /^(\d{4})-[a-z-]+$/.exec(name)?.[1] ?? name);
    assert.deepEqual(numbers, [...new Set(numbers)].toSorted());
  });

  it('make no table, column or index whose name is an SQL keyword', async () => {
    await using database = await testDatabase();
    await migrateSqlite(database.file, false);
    const rows = database
      .connect()
      .prepare(
        `select name from sqlite_schema where name not like 'sqlite%'
           union select c.name from sqlite_schema as s, pragma_table_info(s.name) as c where s.type = 'table'
             and s.name not like 'schema_migration%'`,
      )
      .all();
    assert.ok(rows.length > 100);
    assert.deepEqual(
      rows.map(({ name }) => String(name)).filter((name) => keywords.has(name)),
      [],
    );
  });

  it('are recognized after the clock was wrong when they were applied', async () => {
    await using database = await testDatabase();
    await migrateSqlite(database.file, false);
    const last = names.at(-1) ?? '';
    const db = database.connect();
    db.prepare("update schema_migration set timestamp = '2001-01-01' where name = ?").run(last);
    assert.deepEqual((await migrateSqlite(database.file, false)).migrated, []);
  });
});

describe('a release that adds a migration', () => {
  it('applies the pending migrations in the order of their numbers, and no others', async () => {
    await using database = await testDatabase();
    await using db = await emptyDatabase(database.file);
    assert.deepEqual(await db.migrate(first), ['0001-first']);
    assert.deepEqual((await db.state(three)).pending, ['0002-second', '0003-third']);
    assert.deepEqual(await db.migrate(three), ['0002-second', '0003-third']);
    assert.deepEqual(await db.tables(), ['one', 'three', 'two']);
    assert.deepEqual((await db.state(three)).pending, []);
  });

  it('leaves nothing of the pending migrations when one of them fails', async () => {
    await using database = await testDatabase();
    await using db = await emptyDatabase(database.file);
    await db.migrate(first);
    const failing = makes('three', () => Promise.reject(new Error('cannot be done')));
    await assert.rejects(db.migrate({ ...both, '0003-third': failing }), /cannot be done/);
    assert.deepEqual(await db.tables(), ['one']);
    assert.deepEqual((await db.state(both)).applied, ['0001-first']);
    assert.deepEqual(await db.migrate(three), ['0002-second', '0003-third']);
  });

  it('rejects a database that has a later migration than a pending one', async () => {
    await using database = await testDatabase();
    await using db = await emptyDatabase(database.file);
    await db.migrate(three);
    await db.forget('0002-second');
    assert.match(
      schemaProblem(await db.state(three), three) ?? '',
      /has the migration 0003-third already, and lacks 0002-second, .* next free number, here 0004\./,
    );
  });

  it('rejects a database of a newer release', async () => {
    await using database = await testDatabase();
    await using db = await emptyDatabase(database.file);
    await db.migrate(three);
    assert.match(schemaProblem(await db.state(both), both) ?? '', /newer release .* migrations 0003-third,/);
  });
});
