import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noAccountClaims, type StoredAccessToken, timeOrderedId } from '@watchword/protocol';
import { engine } from '@watchword/server-testkit/servers/engine';
import { addClient, addResourceServer, seededRandom, tokenFactory } from '@watchword/testkit';
import { type Kysely, sql } from 'kysely';
import { sqlRequestErrors } from '../../src/history/request-errors.ts';
import { idToBytes } from '../../src/hot/token-id.ts';
import { SessionEnds } from '../../src/logins/session-ends.ts';
import { sqlAccounts } from '../../src/people/accounts.ts';
import {
  applyMigrations,
  inspectSchema,
  type KnownMigrations,
  type MigrationExtent,
  missingMigrations,
  schemaProblem,
  schemaState,
} from '../../src/schema/migrate.ts';
import { createTable } from '../../src/schema/migrations/create-table.ts';
import type { Migration } from '../../src/schema/migrations/migration.ts';
import { migrations } from '../../src/schema/migrations.ts';
import type { Schema } from '../../src/schema/schema.ts';
import { readOutbox } from '../../src/work/outbox.ts';
import { connectKysely } from '../support/connect-kysely.ts';
import { keywords } from '../support/sql-keywords.ts';
import { type TestDatabase, testDatabase } from '../support/test-database.ts';

const names = Object.keys(migrations);

/** Makes a table with this name; `after` runs later in the same migration. */
function makes(table: string, after: Migration['up'] = async () => {}): Migration {
  return {
    summary: `makes the table ${table}`,
    async up(db, types) {
      await db.schema.createTable(table).addColumn('id', types.integer).execute();
      await after(db, types);
    },
  };
}

const requirement: Migration['up'] = async (db, types) => {
  const columns = { id: 'integer', migration_name: 'text' } as const;
  await createTable(db, types, 'schema_requirement', columns);
  await sql`insert into schema_requirement values (1, '')`.execute(db);
};

const first = { '0001-first': makes('one', requirement) };
const both = { ...first, '0002-second': makes('two') };
const three = { ...both, '0003-third': makes('three') };

async function emptyDatabase(database: TestDatabase) {
  const connected = await connectKysely(database);
  const { db, types } = connected;
  return {
    migrate: (known: KnownMigrations, extent: MigrationExtent = 'all') =>
      applyMigrations(db, types, extent, known),
    report: (known: KnownMigrations) => inspectSchema(db, known),
    state: (known: KnownMigrations) => schemaState(db, known),
    tables: async () =>
      (await db.introspection.getTables())
        .map(({ name }) => name)
        .filter((name) => !name.startsWith('schema_'))
        .toSorted(),
    require: (name: string) => sql`update schema_requirement set migration_name = ${name}`.execute(db),
    forget: (name: string) => sql`delete from schema_migration where name = ${name}`.execute(db),
    [Symbol.asyncDispose]: () => connected[Symbol.asyncDispose](),
  };
}

/** The tables, indexes and columns of a database. */
const namesOf = {
  sqlite: `select name from sqlite_schema where name not like 'sqlite%'
    union select c.name from sqlite_schema as s, pragma_table_info(s.name) as c where s.type = 'table'
      and s.name not like 'schema_migration%'`,
  postgresql: `select relname as name from pg_class where relnamespace = 'public'::regnamespace
    union select column_name from information_schema.columns where table_schema = 'public'
      and table_name not like 'schema_migration%'`,
};

describe('the migrations', () => {
  it('have a number each, and are listed in the order of their numbers', () => {
    const numbers = names.map((name) => /^(\d{4})-[a-z-]+$/.exec(name)?.[1] ?? name);
    assert.deepEqual(numbers, [...new Set(numbers)].toSorted());
  });

  it('make no table, column or index whose name is an SQL keyword', async () => {
    await using database = await testDatabase();
    await database.migrate('all');
    const rows = await database.sql(namesOf[engine]);
    assert.ok(rows.length > 100);
    assert.deepEqual(
      rows.map(({ name }) => String(name)).filter((name) => keywords.has(name)),
      [],
    );
  });

  it('are recognized after the clock was wrong when they were applied', async () => {
    await using database = await testDatabase();
    await database.migrate('all');
    const last = names.at(-1) ?? '';
    await database.sql("update schema_migration set timestamp = '2001-01-01' where name = ?", last);
    assert.deepEqual((await database.migrate('all')).migrated, []);
  });
});

describe('the migration 0002-request-error-rules', () => {
  it('leaves errors that are stored without a rule, and nodes of the release before can go on to write such', async () => {
    await using database = await testDatabase();
    const { db, types, ...connection } = await connectKysely(database);
    await using _ = connection;
    const { '0001-schema': schema, ...later } = migrations;
    assert.ok(schema !== undefined && '0002-request-error-rules' in later);
    await applyMigrations(db, types, 'all', { '0001-schema': schema });
    const add = (time: number) =>
      sql`insert into request_error (id, client_record_id, occurred_at, endpoint, error_code, reason, request_id)
        values (${idToBytes(timeOrderedId(time, seededRandom('errors')))}, 1, ${time}, 'token', 'invalid_grant', 'because', ${`request-${time}`})`.execute(
        db,
      );
    await add(1);
    await applyMigrations(db, types, 'all', migrations);
    await add(2);
    const errors = sqlRequestErrors(db as unknown as Kysely<Schema>);
    for (const time of [1, 2]) {
      const found = await errors.find(`request-${time}`, 0);
      assert.deepEqual(
        [found?.time, found?.reason, found?.rule, found?.came],
        [time, 'because', undefined, undefined],
      );
    }
  });
});

describe('the migration 0003-token-segments', () => {
  it('finds the tokens of a client that are stored, and those that nodes of the release before go on to store', async () => {
    await using database = await testDatabase();
    const { db, types, ...connection } = await connectKysely(database);
    await using _ = connection;
    const { '0003-token-segments': added, ...before } = migrations;
    assert.ok(added !== undefined);
    await applyMigrations(db, types, 'all', before);
    const make = tokenFactory();
    const tokens = [1, 2, 86_400_000].map((creationDate) => make({ creationDate }));
    const ids = tokens.map(({ id }) => id);
    const [stored, late, segmented] = tokens as [StoredAccessToken, StoredAccessToken, StoredAccessToken];
    const add = ({ id, verifierHash, clientRecordId }: StoredAccessToken) =>
      sql`insert into access_token (id, verifier_hash, client_record_id, scopes, expires, creation_date)
        values (${idToBytes(id)}, ${verifierHash}, ${clientRecordId}, 'read', 0, 0)`.execute(db);
    await add(stored);
    await applyMigrations(db, types, 'all', migrations);
    await add(late);
    const { accessTokens } = await database.openServer();
    await accessTokens.insert(segmented);
    const listed = await accessTokens.list({ clientRecordId: 1, limit: 10 });
    const scanned = await accessTokens.scan({ of: 'client', clientRecordId: 1, limit: 10 });
    assert.deepEqual([listed.map(({ id }) => id), scanned.map(({ id }) => id)], [ids, ids.toReversed()]);
    const segments = await database.sql('select segment from access_token order by id');
    assert.deepEqual(
      segments.map(({ segment }) => segment),
      [0, 0, 86_400],
    );
  });
});

describe('the migration 0004-outbox-times', () => {
  it('leaves the work of messages to do that are stored, and of those that nodes of the release before go on to store', async () => {
    await using database = await testDatabase();
    const { db, types, ...connection } = await connectKysely(database);
    await using _ = connection;
    const { '0004-outbox-times': added, ...others } = migrations;
    assert.ok(added !== undefined);
    const before = Object.entries(others).filter(([name]) => name < '0004');
    await applyMigrations(db, types, 'all', Object.fromEntries(before));
    const add = (number: number) =>
      sql`insert into outbox_message (sequence_number, topic, payload, creation_date)
        values (${number}, 'tokens_ended', '{}', 0)`.execute(db);
    await add(1);
    await applyMigrations(db, types, 'all', migrations);
    await add(2);
    const due = { after: 0, againBefore: 0, limit: 9 };
    const messages = await readOutbox(db as unknown as Kysely<Schema>, 'tokens_ended', due);
    assert.deepEqual(
      messages.map(({ sequenceNumber, timesDone }) => [sequenceNumber, timesDone]),
      [
        [1, 0],
        [2, 0],
      ],
    );
  });
});

describe('a release that adds a migration', () => {
  it('applies the pending migrations in the order of their numbers, and no others', async () => {
    await using database = await testDatabase();
    await using db = await emptyDatabase(database);
    assert.deepEqual(await db.migrate(first), ['0001-first']);
    assert.deepEqual((await db.state(three)).pending, ['0002-second', '0003-third']);
    assert.deepEqual(await db.migrate(three), ['0002-second', '0003-third']);
    assert.deepEqual(await db.tables(), ['one', 'three', 'two']);
    assert.deepEqual((await db.state(three)).pending, []);
  });

  it('leaves nothing of the pending migrations when one of them fails', async () => {
    await using database = await testDatabase();
    await using db = await emptyDatabase(database);
    await db.migrate(first);
    const failing = makes('three', () => Promise.reject(new Error('cannot be done')));
    await assert.rejects(db.migrate({ ...both, '0003-third': failing }), /cannot be done/);
    assert.deepEqual(await db.tables(), ['one']);
    assert.deepEqual((await db.state(both)).applied, ['0001-first']);
    assert.deepEqual(await db.migrate(three), ['0002-second', '0003-third']);
  });

  it('rejects a database that has a later migration than a pending one', async () => {
    await using database = await testDatabase();
    await using db = await emptyDatabase(database);
    await db.migrate(three);
    await db.forget('0002-second');
    assert.match(
      schemaProblem(await db.state(three), three) ?? '',
      /has the migration 0003-third already, and lacks 0002-second, .* next free number, here 0004\./,
    );
  });

  it('rejects a database of a newer release that it cannot serve', async () => {
    await using database = await testDatabase();
    await using db = await emptyDatabase(database);
    await db.migrate(three);
    await db.require('0003-third');
    assert.match(schemaProblem(await db.state(both), both) ?? '', /newer release .* migrations 0003-third,/);
  });
});

describe('releases that serve one database during an upgrade', () => {
  /** Removes what no release that knows `0002-second` uses. */
  const contracting: Migration = {
    summary: 'removes the table one',
    requires: '0002-second',
    up: async (db) => db.schema.dropTable('one').execute(),
  };
  const contracted = { ...both, '0003-contracting': contracting };
  const fourth = { ...contracted, '0004-fourth': makes('four') };

  it('go on when the newer one has expanded the schema', async () => {
    await using database = await testDatabase();
    await using db = await emptyDatabase(database);
    await db.migrate(three);
    const state = await db.state(both);
    assert.deepEqual(state.unknown, ['0003-third']);
    assert.equal(schemaProblem(state, both), undefined);
    assert.deepEqual(missingMigrations(state), []);
    assert.deepEqual(await db.migrate(both), [], 'the older one applies nothing');
  });

  it('keep what older nodes use until the operator finishes the upgrade', async () => {
    await using database = await testDatabase();
    await using db = await emptyDatabase(database);
    await db.migrate(both);
    assert.deepEqual(await db.migrate(fourth, 'expanding'), ['0004-fourth']);
    assert.deepEqual(await db.tables(), ['four', 'one', 'two']);
    const state = await db.state(fourth);
    assert.deepEqual([state.pending, missingMigrations(state)], [['0003-contracting'], []]);
    assert.equal(schemaProblem(state, fourth), undefined, 'the newer one serves before it is finished');
    assert.equal(schemaProblem(await db.state(both), both), undefined);
    assert.deepEqual(await db.migrate(fourth, 'all'), ['0003-contracting']);
    assert.deepEqual(await db.tables(), ['four', 'two']);
  });

  it('are refused after the upgrade was finished, if they use what was removed', async () => {
    await using database = await testDatabase();
    await using db = await emptyDatabase(database);
    await db.migrate(contracted);
    assert.equal(schemaProblem(await db.state(both), both), undefined, 'it knows 0002-second');
    const problem = schemaProblem(await db.state(first), first) ?? '';
    assert.match(
      problem,
      /0003-contracting.*releases that know 0002-second; this release knows .* 0001-first/,
    );
  });

  it('report what an upgrade would change, and after what older nodes cannot go on', async () => {
    await using database = await testDatabase();
    await using db = await emptyDatabase(database);
    await db.migrate(first);
    assert.deepEqual((await db.report(contracted)).pending, [
      { name: '0002-second', summary: 'makes the table two' },
      { name: '0003-contracting', summary: 'removes the table one', requires: '0002-second' },
    ]);
  });
});

describe('the migration 0007-confirmed-clients', () => {
  it('remembers the clients that nobody confirmed, and no later one, also of nodes of the release before', async () => {
    await using database = await testDatabase();
    const { db, types, ...connection } = await connectKysely(database);
    await using _ = connection;
    const earlier = Object.fromEntries(
      Object.entries(migrations).filter(([name]) => name < '0007-confirmed-clients'),
    );
    await applyMigrations(db, types, 'all', earlier);
    const add = (id: number, isTrusted: number) =>
      sql`insert into client (id, client_id, client_name, resource_server_id, scopes, skip_consent, is_trusted,
          tokens_valid_from, metadata, previous_secret_valid_until, creation_date, revision)
        values (${id}, ${`client-${id}`}, 'Client', 1, '', 0, ${isTrusted}, 0, '{}', 0, 1, 1)`.execute(db);
    await add(1, 0);
    await add(2, 1);
    await applyMigrations(db, types, 'all', migrations);
    await add(3, 0);
    const rows = await database.sql('select keeps_user_data from client order by id');
    assert.deepEqual(
      rows.map((row) => Number(row.keeps_user_data)),
      [1, 0, 0],
    );
  });
});

describe('the migration 0024-other-resource-servers', () => {
  it('leaves clients at one resource server, and a change by a node of the release before keeps the others', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const api = await addResourceServer(store);
    const otherResourceServers = [{ resourceServerId: api.id + 1, scopes: ['read'] }];
    const plain = await addClient(store, 'plain', api);
    const { id } = await addClient(store, 'using', api, { otherResourceServers });
    const [row] = await database.sql("select other_servers from client where client_id = 'plain'");
    assert.equal(row?.other_servers, null);
    await database.sql('update registry_revision set revision = revision + 1');
    await database.sql(
      `update client set client_name = 'Changed', metadata = metadata,
        revision = (select revision from registry_revision) where id = ${id}`,
    );
    await store.refreshRegistry();
    const { registry } = store;
    assert.deepEqual(registry.clientById(plain.id)?.otherResourceServers, []);
    const changed = registry.clientById(id);
    assert.deepEqual([changed?.clientName, changed?.otherResourceServers], ['Changed', otherResourceServers]);
  });
});

describe('the migration 0021-installation-defaults', () => {
  const defaults = async (database: TestDatabase) =>
    (await database.sql('select setting_name, setting_value from installation_default')).map((row) => ({
      ...row,
    }));

  it('lets administrators of a new installation need a second factor', async () => {
    await using database = await testDatabase();
    await database.migrate('all');
    const expected = [{ setting_name: 'factors.required', setting_value: 'administrators' }];
    assert.deepEqual(await defaults(database), expected);
    const store = await database.openServer();
    assert.equal(await store.installationDefault('factors.required'), 'administrators');
  });

  it('leaves a database that was in use as it was', async () => {
    for (const use of [
      `insert into account (id, username, display_name, role_names, group_names, admin_principal, disabled,
          creation_date, revision, enabled_revision)
        values ('id', 'emma', 'Name', '[]', '[]', 1, 0, 1, 1, 0)`,
      `insert into audit_event (id, occurred_at, event_action, source_address, record_type, record_id, record_name,
          actor_identity_provider, actor_name, owner_identity_provider, owner_name)
        select key_bytes, 1, 'update', '', 'client', '1', 'c', 'saml', 'emma', 'saml', 'emma' from subject_key`,
    ]) {
      await using database = await testDatabase();
      const { db, types, ...connection } = await connectKysely(database);
      await using _ = connection;
      const earlier = Object.fromEntries(
        Object.entries(migrations).filter(([name]) => name < '0021-installation-defaults'),
      );
      await applyMigrations(db, types, 'all', earlier);
      await sql.raw(use).execute(db);
      await applyMigrations(db, types, 'all', migrations);
      assert.deepEqual(await defaults(database), []);
    }
  });
});

describe('the migration 0008-account-claims', () => {
  it('leaves accounts without claims, those of nodes of the release before too, and keeps claims of a later release', async () => {
    await using database = await testDatabase();
    const { db, types, ...connection } = await connectKysely(database);
    await using _ = connection;
    const earlier = Object.fromEntries(
      Object.entries(migrations).filter(([name]) => name < '0008-account-claims'),
    );
    await applyMigrations(db, types, 'all', earlier);
    const add = (username: string) =>
      sql`insert into account (id, username, display_name, role_names, group_names, admin_principal, disabled,
          creation_date, revision, enabled_revision)
        values (${`id of ${username}`}, ${username}, 'Name', '[]', '[]', 0, 0, 1, 1, 0)`.execute(db);
    await add('emma');
    await applyMigrations(db, types, 'all', migrations);
    await add('finn');
    const accounts = sqlAccounts(db as unknown as Kysely<Schema>, new SessionEnds());
    for (const username of ['emma', 'finn']) {
      const account = await accounts.find(username);
      assert.deepEqual({ ...account, ...noAccountClaims }, account, username);
    }
    await sql`update account set claims = '{"gender":"x"}' where username = 'emma'`.execute(db);
    await accounts.update('emma', { locale: 'nl' }, 1);
    const [row] = await database.sql("select claims from account where username = 'emma'");
    const { gender, locale } = JSON.parse(String(row?.claims));
    assert.deepEqual([gender, locale], ['x', 'nl']);
  });
});
