import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { addResourceServer, grantFactory, newResourceServer, tokenFactory } from '@watchword/testkit';
import { migrateSqlite, openSqliteServerStore } from '../src/index.ts';
import { migrations } from '../src/migrations/index.ts';
import { idToBytes } from '../src/token-id.ts';
import { migrateUpTo } from './support/migrate-up-to.ts';
import { testDatabase } from './support/test-database.ts';

const names = Object.keys(migrations);

describe('migrating a database', () => {
  it('makes one that is not there, with its directory, and says what it applied', async () => {
    await using database = await testDatabase();
    const file = join(database.path('some'), 'where', 'test.db');
    assert.deepEqual(await migrateSqlite(file, false), { applied: names, pending: [], migrated: names });
    assert.ok(existsSync(file));
  });

  it('applies nothing the second time, and keeps what is there', async () => {
    await using database = await testDatabase();
    const store = await openSqliteServerStore(database);
    assert.deepEqual(store.migrated, names);
    await addResourceServer(store);
    const token = tokenFactory()();
    await store.accessTokens.insert(token);
    await store.close();
    const report = await migrateSqlite(database.file, false);
    assert.deepEqual(report, { applied: names, pending: [], migrated: [] });
    const again = await database.openServer();
    assert.notEqual(again.registry.resourceServerByKey('api'), undefined);
    assert.notEqual(await again.accessTokens.find(token.id), undefined);
  });

  it('works beside a running server that is up to date', async () => {
    await using database = await testDatabase();
    await database.openServer();
    assert.deepEqual((await migrateSqlite(database.file, false)).migrated, []);
  });

  it('applied by two at once is applied once', async () => {
    await using database = await testDatabase();
    const reports = await Promise.all([1, 2].map(() => migrateSqlite(database.file, false)));
    assert.deepEqual(reports.map(({ migrated }) => migrated.length).toSorted(), [0, names.length]);
  });

  it('is all or nothing', async () => {
    await using database = await testDatabase();
    await migrateSqlite(database.file, false);
    const db = database.connect();
    // The last table of the migration is in its way.
    db.exec('delete from schema_migration');
    for (const table of ['configuration', 'resource_server', 'client']) db.exec(`drop table ${table}`);
    await assert.rejects(migrateSqlite(database.file, false));
    const tables = db.prepare("select name from sqlite_schema where type = 'table' order by name").all();
    const left = tables.map(({ name }) => name);
    assert.ok(left.includes('access_token'));
    assert.ok(!left.includes('client') && !left.includes('configuration'), String(left));
    assert.deepEqual(db.prepare('select * from schema_migration').all(), []);
  });
});

describe('the migrations', () => {
  it('have a number each, and stand in its order, which is that in which they are applied', () => {
    const numbers = names.map((name) => /^(\d{4})-[a-z-]+$/.exec(name)?.[1] ?? name);
    assert.deepEqual(numbers, [...new Set(numbers)].toSorted());
  });

  it('are known again after they were applied while the clock was wrong', async () => {
    await using database = await testDatabase();
    await migrateSqlite(database.file, false);
    const last = names.at(-1) ?? '';
    const db = database.connect();
    db.prepare("update schema_migration set timestamp = '2001-01-01' where name = ?").run(last);
    assert.deepEqual((await migrateSqlite(database.file, false)).migrated, []);
  });
});

describe('the migration 0002-authorization', () => {
  it('keeps the tokens that are there, and nobody granted them', async () => {
    await using database = await testDatabase();
    await migrateUpTo(database.file, '0001-initial');
    const token = tokenFactory()({ scopes: ['a', 'b'], expires: 5 });
    const { id, verifierHash, clientRecordId, scopes, expires, creationDate } = token;
    database
      .connect()
      .prepare('insert into access_token values (?, ?, ?, ?, ?, ?)')
      .run(idToBytes(id), verifierHash, clientRecordId, scopes.join(' '), expires, creationDate);
    const store = await database.openServer();
    assert.deepEqual(store.migrated, names.slice(1));
    const found = await store.accessTokens.find(id);
    assert.deepEqual(found && { ...found, verifierHash: Buffer.from(found.verifierHash) }, {
      ...token,
      verifierHash: Buffer.from(verifierHash),
      grant: undefined,
    });
    assert.equal((await store.accessTokens.list({ limit: 9 })).length, 1);
    const make = grantFactory();
    const grant = make.grant();
    await store.grants.insert(grant, make.tokens(grant).accessToken);
    assert.equal((await store.accessTokens.list({ limit: 9 })).length, 2);
  });
});

describe('the migration 0004-administration', () => {
  it('gives what was registered before to nobody who logs in, and keeps names unique for an owner', async () => {
    await using database = await testDatabase();
    await migrateUpTo(database.file, '0003-accounts');
    const columns =
      'key, secret_hash, previous_secret_valid_until, name, description, scopes, contact_name, contact_email, thumb_nail_url, owner, creation_date, revision';
    database
      .connect()
      .exec(
        `insert into resource_server (${columns}) values ('api', x'00', 0, 'API', '', 'read', 'Ann', '', '', 'emma', 1, 1)`,
      );
    const store = await database.openServer();
    assert.deepEqual(store.migrated, names.slice(3));
    const found = await store.resourceServers.find('api');
    assert.deepEqual([found?.owner, found?.ownerAuthority], ['emma', '']);
    const same = { name: 'API', owner: 'emma' };
    const create = (ownerAuthority: string) =>
      store.resourceServers.create(newResourceServer({ ...same, ownerAuthority }), [`${ownerAuthority}-api`]);
    assert.equal(await create(''), undefined);
    assert.notEqual(await create('password'), undefined);
    assert.equal(await create('password'), undefined);
  });
});

describe('the migration 0005-issued-by-hour', () => {
  it('keeps the counts of issued tokens, of everybody and of each owner', async () => {
    await using database = await testDatabase();
    await migrateUpTo(database.file, '0004-administration');
    const connection = database.connect();
    const rest = `x'00', null, 0, 'n', '', 'a', '', '', 1, '', '[]', 0, 0, 0, 0, 0, 0, '{}', 0, 1, 1, null`;
    connection.exec(`
      insert into resource_server (id, key, secret_hash, previous_secret_valid_until, name, description, scopes,
        contact_name, contact_email, thumb_nail_url, owner, owner_authority, creation_date, revision)
        values (1, 'api', x'00', 0, 'API', '', '', 'Ann', '', '', 'emma', 'password', 1, 1);
      insert into client values (1, 'a', ${rest}), (2, 'b', ${rest});
      insert into issued_count values (5, 1, 'code', 2), (5, 2, 'code', 3), (6, 1, 'implicit', 4), (6, 9, 'implicit', 1);
    `);
    const { statistics } = await database.openServer();
    const sums = async (owner?: { authority: string; name: string }) =>
      (await statistics.issued({ from: 5, until: 7, ...(owner && { owner }) })).map(({ tokens }) => tokens);
    assert.deepEqual(await sums(), [5, 5]);
    assert.deepEqual(await sums({ authority: 'password', name: 'emma' }), [5, 4]);
    await statistics.addIssued([{ hour: 5, clientRecordId: 2, grantType: 'code', tokens: 10 }]);
    assert.deepEqual(await sums(), [15, 5]);
    assert.deepEqual(await sums({ authority: 'password', name: 'emma' }), [15, 4]);
  });
});

describe('the dry run', () => {
  it('says that nothing is pending, and changes nothing', async () => {
    await using database = await testDatabase();
    await migrateSqlite(database.file, false);
    const before = readFileSync(database.file);
    const report = await migrateSqlite(database.file, true);
    assert.deepEqual(report, { applied: names, pending: [], migrated: [] });
    assert.ok(readFileSync(database.file).equals(before));
  });

  it('says what is pending, and changes nothing', async () => {
    await using database = await testDatabase();
    await migrateSqlite(database.file, false);
    const db = new DatabaseSync(database.file);
    db.exec('delete from schema_migration');
    db.close();
    const before = readFileSync(database.file);
    const report = await migrateSqlite(database.file, true);
    assert.deepEqual(report, { applied: [], pending: names, migrated: [] });
    assert.ok(readFileSync(database.file).equals(before));
  });

  it('leaves an empty file empty', async () => {
    await using database = await testDatabase();
    writeFileSync(database.file, '');
    const report = await migrateSqlite(database.file, true);
    assert.deepEqual(report, { applied: [], pending: names, migrated: [] });
    assert.equal(readFileSync(database.file).length, 0);
  });

  it('leaves the journal mode of a restored backup as it is', async () => {
    await using database = await testDatabase();
    await migrateSqlite(database.file, false);
    const db = new DatabaseSync(database.file);
    db.exec('pragma journal_mode = delete');
    db.close();
    const before = readFileSync(database.file);
    await migrateSqlite(database.file, true);
    assert.ok(readFileSync(database.file).equals(before));
  });
});
