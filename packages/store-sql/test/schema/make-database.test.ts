import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { FakeClock } from '@watchword/testkit';
import { Kysely } from 'kysely';
import { sqliteColumnTypes } from '../../src/dialects/sqlite/column-types.ts';
import { keyTables, scriptOf } from '../../src/dialects/sqlite/database-script.ts';
import { sqliteDialect } from '../../src/dialects/sqlite/dialect.ts';
import { ServerLock } from '../../src/dialects/sqlite/server-lock.ts';
import { localConnection, shared } from '../../src/dialects/sqlite/threads/reader.ts';
import {
  checkSqlite,
  DatabaseOpenError,
  migrateSqlite,
  openSqliteServerStore,
  openSqliteStore,
} from '../../src/index.ts';
import { applyMigrations } from '../../src/schema/migrate.ts';
import { migrations } from '../../src/schema/migrations.ts';
import type { Schema } from '../../src/schema/schema.ts';
import { type TestDatabase, testDatabase } from '../support/test-database.ts';

const only = onlyOn('sqlite', 'makes files');
const names = Object.keys(migrations);
const clock = new FakeClock();

function serve({ file }: TestDatabase) {
  return openSqliteServerStore({ file, clock });
}

function filesOf({ file }: TestDatabase): string[] {
  return readdirSync(dirname(file)).toSorted();
}

describe('a new database', only, () => {
  it('is complete under another name before it gets its own, and nothing is left beside it', async () => {
    await using database = await testDatabase();
    await migrateSqlite(database.file, 'all');
    assert.deepEqual(filesOf(database), ['test.db', 'test.db.lock']);
    // Bytes 18 and 19 of the header: 2 = WAL (sqlite.org/fileformat2.html).
    assert.deepEqual([...readFileSync(database.file).subarray(18, 20)], [2, 2]);
    assert.deepEqual(checkSqlite(database.file), []);
  });

  it('has the tables, indexes and rows that the migrations make, and keys of its own', async () => {
    await using first = await testDatabase();
    await using second = await testDatabase();
    for (const { file } of [first, second]) await migrateSqlite(file, 'all');
    const migrated = new DatabaseSync(':memory:');
    const kysely = new Kysely<Schema>({ dialect: sqliteDialect(shared(localConnection(migrated))) });
    await applyMigrations(kysely, sqliteColumnTypes, 'all');
    const keys: unknown[] = [];
    const contentOf = (db: DatabaseSync) => {
      for (const table of keyTables) keys.push(db.prepare(`select hex(key_bytes) from ${table}`).get());
      for (const table of keyTables) db.exec(`update ${table} set key_bytes = ''`);
      db.exec("update schema_migration set timestamp = ''");
      return scriptOf(db);
    };
    const expected = contentOf(migrated);
    for (const database of [first, second]) assert.equal(contentOf(database.connect()), expected);
    assert.equal(new Set(keys.map((key) => JSON.stringify(key))).size, 3 * keyTables.length);
    migrated.close();
  });

  it('replaces what an interrupted start left of an earlier one', async () => {
    await using database = await testDatabase();
    writeFileSync(`${database.file}.new`, 'a part of one');
    writeFileSync(`${database.file}.new-journal`, 'a part of one');
    const store = await serve(database);
    assert.deepEqual(store.migrated, names);
    await store.close();
    assert.deepEqual(filesOf(database), ['test.db', 'test.db.lock']);
  });

  it('is made by one of the servers and migrations that start at once, and the others find it', async () => {
    await using database = await testDatabase();
    const migrating = Array.from({ length: 4 }, () => migrateSqlite(database.file, 'all'));
    const serving = [serve(database), serve(database)];
    const [reports, started] = await Promise.all([Promise.all(migrating), Promise.allSettled(serving)]);
    const stores = started.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const refused = started.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    await Promise.all(stores.map((store) => store.close()));
    assert.deepEqual([stores.length, refused.length], [1, 1]);
    assert.match(String(refused[0]), /Another server \(process \d+/);
    const made = [...reports, ...stores].filter(({ migrated }) => migrated.length > 0);
    assert.deepEqual(
      made.map(({ migrated }) => migrated),
      [names],
    );
  });

  it('is waited for while another process makes it', async () => {
    await using database = await testDatabase();
    const lock = ServerLock.acquire(database.file);
    const started = serve(database);
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    started.then(settle, settle);
    // The other process ends without a database, so that this one makes it.
    await new Promise(setImmediate);
    assert.ok(!isSettled);
    lock.release();
    const store = await started;
    assert.deepEqual(store.migrated, names);
    await store.close();
  });

  it('is not made where the log of another one is left, whose commits it would get', async () => {
    for (const suffix of ['-wal', '-journal']) {
      await using database = await testDatabase();
      writeFileSync(`${database.file}${suffix}`, 'commits');
      for (const start of [() => serve(database), () => migrateSqlite(database.file, 'all')]) {
        await assert.rejects(start, (error: Error) => {
          assert.ok(error instanceof DatabaseOpenError, String(error));
          assert.match(error.message, /no database at .*last commits.*Put the database back/);
          return true;
        });
      }
      assert.ok(!existsSync(database.file));
      assert.equal(readFileSync(`${database.file}${suffix}`, 'utf8'), 'commits');
    }
  });

  it('is made where a symbolic link leads, and has one lock under both names', async () => {
    await using database = await testDatabase();
    symlinkSync('folder/real.db', database.file);
    const store = await serve(database);
    const real = database.path('folder/real.db');
    await assert.rejects(openSqliteServerStore({ file: real, clock }), /Another server/);
    await store.close();
    assert.deepEqual(readdirSync(database.path('folder')).toSorted(), ['real.db', 'real.db.lock']);
    await (await openSqliteStore({ file: database.file, clock })).close();
  });
});
