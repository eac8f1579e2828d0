import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { tableNames } from '@watchword/server-testkit/servers/sql';
import { addResourceServer, tokenFactory } from '@watchword/testkit';
import {
  migrate,
  migrateSqlite,
  openServerStore,
  openSqliteServerStore,
  openSqliteStore,
} from '../../src/index.ts';
import { migrations } from '../../src/schema/migrations.ts';
import { makeOlderDatabase } from '../support/older-database.ts';
import { type TestDatabase, testDatabase } from '../support/test-database.ts';

const names = Object.keys(migrations);

/** What a migration would change. */
async function contentOf(database: TestDatabase) {
  return [
    await tableNames(database.file),
    await database.sql('select * from schema_migration order by name'),
  ];
}

describe('migrating a database', () => {
  const file = onlyOn('sqlite', 'makes files');
  it('makes a missing database with its directory, and names the applied migrations', file, async () => {
    await using database = await testDatabase();
    const file = join(database.path('some'), 'where', 'test.db');
    assert.deepEqual(await migrate({ database: file, extent: 'all' }), {
      applied: names,
      pending: [],
      migrated: names,
      unknown: [],
    });
    assert.ok(existsSync(file));
  });

  it('applies nothing the second time, and keeps all rows', async () => {
    await using database = await testDatabase();
    const store = await openServerStore({ database: await database.location(), clock: database.clock });
    assert.deepEqual(store.migrated, names);
    await addResourceServer(store);
    const token = tokenFactory()();
    await store.accessTokens.insert(token);
    await store.close();
    const report = await database.migrate('all');
    assert.deepEqual(report, { applied: names, pending: [], migrated: [], unknown: [] });
    const again = await database.openServer();
    assert.notEqual(again.registry.resourceServerByKey('api'), undefined);
    assert.notEqual(await again.accessTokens.find(token.id), undefined);
  });

  it('takes no lock on the schema where nothing is pending', async () => {
    await using database = await testDatabase();
    await database.migrate('all');
    await database.sql('delete from schema_migration_lock');
    await (await database.openServer()).close();
    assert.deepEqual(await database.sql('select * from schema_migration_lock'), []);
  });

  it('works while a server with the same version runs', async () => {
    await using database = await testDatabase();
    await database.openServer();
    assert.deepEqual((await database.migrate('all')).migrated, []);
  });

  it('runs once when two processes start it at once', async () => {
    await using database = await testDatabase();
    const reports = await Promise.all([1, 2].map(() => database.migrate('all')));
    assert.deepEqual(reports.map(({ migrated }) => migrated.length).toSorted(), [0, names.length]);
  });

  it('is all or nothing', async () => {
    await using database = await testDatabase();
    await database.migrate('all');
    // The first of them can be applied, and columns of the second exist already.
    await database.sql("delete from schema_migration where name >= '0009-session-ends'");
    await database.sql('drop index login_session_subject');
    await database.sql('alter table login_session drop column ends');
    const before = await contentOf(database);
    await assert.rejects(database.migrate('all'), /search_text/);
    await assert.rejects(database.sql('select ends from login_session'));
    assert.deepEqual(await contentOf(database), before);
  });
});

const older = onlyOn('sqlite', 'those had SQLite only');
describe('a database from before the first release', older, () => {
  it('is rejected with its state and the next step, and is not changed', async () => {
    await using database = await testDatabase();
    makeOlderDatabase(database.file);
    const before = readFileSync(database.file);
    const advice =
      /before the first release.*0001-initial, 0002-authorization, and lacks 0001-schema.*Move the file.*--database.*watchword migrate.*register.*Nothing was changed/;
    for (const extent of ['none', 'expanding', 'all'] as const) {
      await assert.rejects(migrateSqlite(database.file, extent), {
        name: 'DatabaseOpenError',
        message: advice,
      });
    }
    await assert.rejects(openSqliteServerStore(database), { name: 'DatabaseOpenError', message: advice });
    await assert.rejects(openSqliteStore(database), { name: 'DatabaseOpenError', message: advice });
    assert.ok(readFileSync(database.file).equals(before));
  });
});

describe('a check of the migrations', () => {
  it('reports that nothing is pending, and changes nothing', async () => {
    await using database = await testDatabase();
    await database.migrate('all');
    const before = await contentOf(database);
    const report = await database.migrate('none');
    assert.deepEqual(report, { applied: names, pending: [], migrated: [], unknown: [] });
    assert.deepEqual(await contentOf(database), before);
  });

  it('reports what is pending, and changes nothing', async () => {
    await using database = await testDatabase();
    await database.migrate('all');
    const [first = '', ...later] = names;
    await database.sql('delete from schema_migration where name > ?', first);
    const before = await contentOf(database);
    const pending = later.map((name) => ({ name, summary: migrations[name]?.summary }));
    const report = await database.migrate('none');
    assert.deepEqual(report, { applied: [first], pending, migrated: [], unknown: [] });
    assert.deepEqual(await contentOf(database), before);
  });

  it('keeps the journal mode of a restored backup', onlyOn('sqlite', 'its journal'), async () => {
    await using database = await testDatabase();
    await migrateSqlite(database.file, 'all');
    const db = new DatabaseSync(database.file);
    db.exec('pragma journal_mode = delete');
    db.close();
    const before = readFileSync(database.file);
    await migrateSqlite(database.file, 'none');
    assert.ok(readFileSync(database.file).equals(before));
  });
});
