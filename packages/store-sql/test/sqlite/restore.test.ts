import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import {
  addClient,
  addResourceServer,
  buildAccount,
  damagePage,
  leafPages,
  schemaPages,
} from '@watchword/testkit';
import {
  backupSqlite,
  checkSqlite,
  DatabaseOpenError,
  openSqliteStore,
  previewRestore,
  restoreSqlite,
} from '../../src/index.ts';
import { emptyTables, fillTables, tablesOf } from '../support/fill-tables.ts';
import { migratedFile } from '../support/migrated-file.ts';
import { type TestDatabase, testDatabase } from '../support/test-database.ts';

const only = onlyOn('sqlite', 'backups are made by its own commands elsewhere');

// A new table must be in one of these lists.
const ended = [
  'authorization_code',
  'lease',
  'login_session',
  'login_session_link',
  'outgoing_mail',
  'person_link',
  'sealing_key',
  'session_client',
];
const endedWithTokens = ['access_token', 'authorization_grant', 'consent', 'refresh_token'];
const kept = [
  'account',
  'account_link',
  'administrative_right',
  'audit_event',
  'authenticator',
  'authenticator_name',
  'branding',
  'client',
  'client_host',
  'applied_configuration',
  'client_registration',
  'client_secret_use',
  'credential',
  'digest_key',
  'heartbeat',
  'initial_token',
  'installation_default',
  'issued_by_hour',
  'issued_to_client',
  'login_attempt',
  'login_event',
  'number_sequence',
  'one_time',
  'outbox_message',
  'owner_change',
  'registry_revision',
  'request_error',
  'resource_server',
  'revoked_token',
  'signing_key',
  'step_record',
  'subject_key',
  'write_proof',
];

function restore({ file, clock }: TestDatabase, from: string, keepTokens = false) {
  return restoreSqlite({ file, from, clock, keepTokens }, async () => undefined);
}

function withAdvice(advice: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof DatabaseOpenError, String(error));
    assert.match(error.message, advice);
    return true;
  };
}

/** A backup with a row in every table. */
async function fullBackup(database: TestDatabase): Promise<string> {
  await migratedFile(database.file);
  fillTables(database.file);
  const backup = database.path('backup.db');
  await backupSqlite(database.file, backup);
  return backup;
}

/** Files beside the database of the test, without the usual ones. */
function besides({ file }: TestDatabase): string[] {
  return readdirSync(dirname(file)).filter(
    (name) => !/^(?:test|backup)\.db$|^test\.db(?:\.lock|-wal|-shm)$/.test(name),
  );
}

describe('a restore', only, () => {
  it('revokes all records that were possibly revoked since the backup, and keeps the rest', async () => {
    await using database = await testDatabase();
    const backup = await fullBackup(database);
    const bytes = readFileSync(backup);
    assert.deepEqual(tablesOf(backup), [...ended, ...endedWithTokens, ...kept].toSorted());
    assert.deepEqual(emptyTables(backup), []);
    const report = await restore(database, backup);
    assert.deepEqual(emptyTables(database.file), [...ended, ...endedWithTokens].toSorted());
    assert.deepEqual(report.ended, {
      accessTokens: 1,
      refreshTokens: 1,
      authorizationCodes: 1,
      grants: 1,
      consents: 1,
      loginSessions: 1,
    });
    assert.deepEqual(checkSqlite(database.file), []);
    assert.deepEqual(besides(database), [basename(report.kept ?? '')]);
    assert.ok(readFileSync(backup).equals(bytes), 'the backup was changed');
  });

  it('keeps what it replaces beside it, under the time, until somebody removes it', async () => {
    await using database = await testDatabase();
    const backup = await fullBackup(database);
    const before = await database.openServer();
    await addResourceServer(before, 'after-the-backup');
    await before.close();
    const first = await restore(database, backup);
    const second = await restore(database, backup);
    const time = new Date(database.clock.now()).toISOString().slice(0, 19).replaceAll(':', '');
    const name = `${database.file}.replaced-${time}Z`;
    assert.deepEqual([first.kept, second.kept, first.isDamaged], [name, `${name}-2`, false]);
    assert.deepEqual(besides(database), [basename(name), `${basename(name)}-2`]);
    await restore(database, name, true);
    const { resourceServers } = await database.openServer();
    assert.notEqual(await resourceServers.find('after-the-backup'), undefined);
  });

  it('counts the records of both, and dates the backup, before it begins', async () => {
    await using database = await testDatabase();
    await migratedFile(database.file);
    fillTables(database.file);
    const change = database.connect();
    for (const table of ['resource_server', 'client']) change.exec(`update ${table} set deleted_at = null`);
    change.exec('update authorization_grant set revoked_at = null');
    change.close();
    const backup = database.path('backup.db');
    await backupSqlite(database.file, backup);
    const one = { resourceServers: 1, clients: 1, accounts: 1, grants: 1 };
    const options = { file: database.file, from: backup };
    const found = { backup: one, isWithoutLog: false, fileDate: statSync(backup).mtimeMs, lastEvent: 77 };
    assert.deepEqual(await previewRestore(options), { ...found, replaced: one });
    const gone = { ...options, file: database.path('none.db') };
    assert.deepEqual(await previewRestore(gone), { ...found, replaced: undefined });
    writeFileSync(database.file, '');
    assert.deepEqual(await previewRestore(options), { ...found, replaced: 'unreadable' });
  });

  it('replaces an empty file, which it keeps, too', async () => {
    await using database = await testDatabase();
    const backup = await fullBackup(database);
    writeFileSync(database.file, '');
    const { kept = '', isDamaged } = await restore(database, backup);
    assert.deepEqual([readFileSync(kept).length, isDamaged], [0, true]);
    assert.deepEqual(checkSqlite(database.file), []);
  });

  it('keeps tokens with their grants and consents on request', async () => {
    await using database = await testDatabase();
    const backup = await fullBackup(database);
    const report = await restore(database, backup, true);
    assert.deepEqual(emptyTables(database.file), ended);
    assert.deepEqual([report.ended.accessTokens, report.ended.loginSessions], [0, 1]);
  });

  it('ends the reset links of accounts, and makes their versions of the backup outdated', async () => {
    await using database = await testDatabase();
    const before = await database.openServer();
    const digest = new Uint8Array(32).fill(1);
    const account = buildAccount({ resetLink: { digest, expires: database.clock.now() + 1000 } });
    await before.accounts.create(account);
    await before.close();
    const backup = database.path('backup.db');
    await backupSqlite(database.file, backup);
    await restore(database, backup, true);
    const { accounts } = await database.openServer();
    assert.equal(await accounts.findByResetLink(digest), undefined);
    const { resetLink, ...kept } = account;
    const restored = await accounts.find(account.username);
    assert.ok(restored !== undefined && restored.revision > account.revision);
    assert.deepEqual({ ...restored, revision: account.revision }, kept);
  });

  it('continues with record ids and revisions above all ids of the replaced database', async () => {
    await using database = await testDatabase();
    await migratedFile(database.file);
    const backup = database.path('backup.db');
    await backupSqlite(database.file, backup);
    const later = Number.MAX_SAFE_INTEGER - 1000;
    const old = database.connect();
    old.exec(`update number_sequence set last_number = ${later} where sequence_name = 'client'`);
    old.exec(`update registry_revision set revision = ${later}`);
    old.close();
    await restore(database, backup);
    const store = await database.openServer();
    const server = await addResourceServer(store);
    const client = await addClient(store, 'client', server);
    assert.ok(client.id > later);
    assert.ok(client.revision > later);
  });

  it('continues with ids and revisions above the seconds of the clock without a database to read', async () => {
    await using database = await testDatabase();
    const backup = await fullBackup(database);
    const elsewhere = { ...database, file: database.path('elsewhere.db') };
    await restore(elsewhere, backup);
    const store = await openSqliteStore(elsewhere);
    const server = await addResourceServer(store);
    const client = await addClient(store, 'client', server);
    await store.close();
    const seconds = Math.floor(database.clock.now() / 1000);
    for (const { id, revision } of [server, client]) assert.ok(id > seconds && revision > seconds);
  });

  it('migrates a backup of an older release', async () => {
    await using database = await testDatabase();
    const backup = database.path('backup.db');
    await migratedFile(backup);
    const older = new DatabaseSync(backup);
    older.exec(`delete from schema_migration where name >= '0009'; drop index login_session_subject;
      alter table login_session drop column ends; drop index audit_event_search; drop index audit_event_search_others;
      alter table audit_event drop column search_text; drop table step_record;
      drop table authenticator; drop table authenticator_name; drop table branding; drop table client_host; drop table applied_configuration;
      drop table administrative_right;
      drop table client_registration; drop table initial_token;
      alter table audit_event drop column client_name; alter table login_event drop column client_name;
      drop index authorization_grant_part_ended; alter table authorization_grant drop column part_ended_at;
      alter table authorization_code drop column dpop_jkt; alter table refresh_token drop column confirmation;
      alter table revoked_token drop column ended_at_servers; drop table client_secret_use;
      alter table client drop column secret_created; alter table client drop column secrets;
      drop table person_link; drop index account_email; drop table outgoing_mail;
      drop table account_link; drop table credential; drop table installation_default;
      alter table login_session drop column source_address; alter table login_session drop column device;
      alter table account drop column needs_long_password;
      drop index client_other_servers; alter table client drop column other_servers`);
    for (const table of ['client', 'resource_server']) {
      older.exec(`drop index ${table}_managed; alter table ${table} drop column managed_by;
        alter table ${table} drop column applied_digest`);
    }
    for (const table of ['account', 'client', 'resource_server']) {
      older.exec(`drop index ${table}_unsearched; drop index ${table}_search; drop index ${table}_search_others;
        alter table ${table} drop column search_text; alter table ${table} drop column search_revision`);
    }
    older.close();
    await restore(database, backup);
    await (await database.openServer()).close();
    assert.deepEqual(tablesOf(database.file), [...ended, ...endedWithTokens, ...kept].toSorted());
  });

  it('runs the other steps before the database is replaced, and fails with them', async () => {
    await using database = await testDatabase();
    const backup = await fullBackup(database);
    const before = readFileSync(database.file);
    const failed = restoreSqlite({ ...database, from: backup, keepTokens: false }, async ({ accounts }) => {
      assert.equal((await accounts.list({ limit: 9 })).length, 1);
      throw new Error('no');
    });
    await assert.rejects(failed, /^Error: no$/);
    assert.ok(readFileSync(database.file).equals(before));
    assert.deepEqual(besides(database), []);
  });

  for (const [what, change] of [
    ['damaged schema', (file: string) => damagePage(file, Math.max(...schemaPages(file)))],
    ['damaged header', (file: string) => writeFileSync(file, readFileSync(file).fill('x', 0, 16))],
  ] as const) {
    it(`keeps a database with a ${what} beside the restored one`, async () => {
      await using database = await testDatabase();
      const backup = await fullBackup(database);
      change(database.file);
      writeFileSync(`${database.file}-wal`, 'a log of the damaged one');
      const damaged = readFileSync(database.file);
      const report = await restore(database, backup);
      const { kept = '', isDamaged } = report;
      assert.ok(kept.startsWith(`${database.file}.replaced-`) && isDamaged, kept);
      assert.ok(readFileSync(kept).equals(damaged));
      assert.equal(readFileSync(`${kept}-wal`, 'utf8'), 'a log of the damaged one');
      assert.ok(!existsSync(`${database.file}-wal`));
      assert.deepEqual(checkSqlite(database.file), []);
      await (await database.openServer()).close();
    });
  }

  it('does not use the log of a removed database for the restored one, and keeps it', async () => {
    await using database = await testDatabase();
    const backup = await fullBackup(database);
    const elsewhere = { ...database, file: database.path('elsewhere.db') };
    writeFileSync(`${elsewhere.file}-wal`, 'left behind');
    const { kept = '' } = await restore(elsewhere, backup);
    assert.ok(!existsSync(`${elsewhere.file}-wal`));
    assert.match(kept, /elsewhere\.db\.replaced-[\dTZ-]+-wal$/);
    assert.equal(readFileSync(kept, 'utf8'), 'left behind');
    assert.deepEqual(checkSqlite(elsewhere.file), []);
  });
});

describe('a restore that was interrupted before the database was replaced', only, () => {
  it('leaves a second name and the log under it, which the next start takes back', async () => {
    await using database = await testDatabase();
    await migratedFile(database.file);
    const kept = `${database.file}.replaced-2026-01-01T000000Z`;
    linkSync(database.file, kept);
    writeFileSync(`${kept}-journal`, '');
    linkSync(database.file, database.path('other-name.db'));
    await assert.rejects(database.openServer(), withAdvice(/has a second name/));
    assert.deepEqual(besides(database), ['other-name.db', 'test.db-journal']);
    rmSync(database.path('other-name.db'));
    await (await database.openServer()).close();
  });
});

describe('a restore that is not possible', only, () => {
  for (const [what, advice, prepare] of [
    [
      'beside a running server',
      /Another server \(process \d+, since/,
      async (database: TestDatabase) => void (await database.openServer()),
    ],
    [
      'while another process has the database open',
      /Another process keeps the database/,
      async ({ connect }: TestDatabase) => void connect().prepare('select count(*) from client').get(),
    ],
    [
      'of a damaged backup',
      /backup\.db is not a SQLite database or is damaged/,
      async ({ path }: TestDatabase) =>
        damagePage(path('backup.db'), leafPages(path('backup.db'), 'account')[0] ?? 0),
    ],
    [
      'of a backup by a newer release',
      /newer release.*9999-future/,
      async ({ path }: TestDatabase) => {
        const backup = new DatabaseSync(path('backup.db'));
        backup.exec(
          `insert into schema_migration values ('9999-future', '2099-01-01'); update schema_requirement set migration_name = '9999-future'`,
        );
        backup.close();
      },
    ],
    [
      'over a database of another application',
      /database of another application/,
      async ({ file }: TestDatabase) => {
        const other = new DatabaseSync(file);
        other.exec('pragma application_id = 4711');
        other.close();
      },
    ],
  ] as const) {
    it(`is rejected ${what}, and changes nothing`, async () => {
      await using database = await testDatabase();
      const backup = await fullBackup(database);
      const wal = new DatabaseSync(database.file);
      wal.exec('pragma journal_mode = wal');
      wal.close();
      await prepare(database);
      const before = readFileSync(database.file);
      await assert.rejects(restore(database, backup), withAdvice(advice));
      assert.ok(readFileSync(database.file).equals(before), 'the database was changed');
      assert.deepEqual(besides(database), []);
    });
  }

  it('is rejected where the backup has what acts by itself', async () => {
    for (const [made, advice] of [
      ['trigger again after update on account begin delete from client; end', /has the trigger "again"/],
      ['view person as select * from account', /has the view "person"/],
      ['virtual table words using fts5(text)', /has the virtual table "words"/],
    ] as const) {
      await using database = await testDatabase();
      await migratedFile(database.file);
      const from = database.path('backup.db');
      await migratedFile(from);
      const backup = new DatabaseSync(from);
      backup.exec(`create ${made}`);
      backup.close();
      const before = readFileSync(database.file);
      await assert.rejects(previewRestore({ file: database.file, from }), withAdvice(advice));
      await assert.rejects(restore(database, from), withAdvice(advice));
      assert.ok(readFileSync(database.file).equals(before));
      assert.ok(!existsSync(`${database.file}.restoring`));
    }
  });

  it('is rejected where the backup is missing, or is the database itself', async () => {
    await using database = await testDatabase();
    await migratedFile(database.file);
    await assert.rejects(restore(database, database.path('none.db')), withAdvice(/There is no database at/));
    await assert.rejects(restore(database, database.file), withAdvice(/is the database itself/));
    copyFileSync(database.file, database.path('copy.db'));
    await restore(database, database.path('copy.db'));
  });
});
