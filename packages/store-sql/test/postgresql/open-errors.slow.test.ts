import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { FakeClock } from '@watchword/testkit';
import { testKey } from '@watchword/testkit/certificate';
import { freePort } from '@watchword/testkit/free-port';
import { type PostgresqlServer, query, startPostgresql, startStandby } from '@watchword/testkit/postgresql';
import { DatabaseOpenError, migrate, openServerStore, openStore } from '../../src/index.ts';

const clock = new FakeClock();
const ways: Record<string, (database: string) => Promise<unknown>> = {
  'the server': async (database) => (await openServerStore({ database, clock })).close(),
  'a tool': async (database) => (await openStore({ database, clock })).close(),
  'the migration': (database) => migrate({ database, extent: 'all' }),
};

/** Asserts that each way of opening ends with the advice, without the password. */
async function rejected(database: string, advice: RegExp, who = Object.keys(ways)): Promise<void> {
  const { password } = new URL(database.replace(/,[^/]*/, ''));
  for (const name of who) {
    await assert.rejects(
      async () => ways[name]?.(database),
      (error: unknown) => {
        assert.ok(error instanceof DatabaseOpenError, `${name}: ${String(error)}`);
        assert.match(error.message, advice, name);
        for (const text of [error.message, error.stack ?? '', String(error.cause)]) {
          assert.ok(password === '' || !text.includes(password), `${name} shows the password`);
        }
        return true;
      },
    );
  }
}

describe('a PostgreSQL database that cannot be used is rejected with advice', () => {
  let server: PostgresqlServer;
  let migrated: string;
  let directory: string;
  before(async () => {
    server = await startPostgresql({ settings: { max_connections: '10' } });
    directory = await mkdtemp(join(tmpdir(), 'watchword-open-'));
    migrated = await server.template('migrated', (database) => migrate({ database, extent: 'all' }));
    await server.query(`create role plain login password 'plainsecret'`);
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  /** The URL with other parts. */
  const url = (parts: Partial<Record<'username' | 'password' | 'host' | 'pathname' | 'search', string>>) =>
    Object.assign(new URL(server.url()), parts).href;

  it('for a wrong password or user', async () => {
    await rejected(url({ password: 'wrongsecret' }), /does not accept this user with this password.*28P01/);
    await rejected(url({ username: 'nobody' }), /does not accept this user|does not permit this user/);
    await rejected(url({ password: '' }), /asks for a password.*PGPASSWORD/);
  });

  it('for a host that is unknown or has no server', async () => {
    await rejected(
      url({ host: 'unknown.invalid:5432' }),
      /host is unknown|cannot be looked up.*unknown\.invalid/,
    );
    await rejected(url({ host: `127.0.0.1:${await freePort()}` }), /No server listens there.*ECONNREFUSED/);
    await rejected(`postgres://u:secretsecret@${encodeURIComponent(directory)}/d`, /no such Unix socket/);
  });

  it('for a database that is missing', () =>
    rejected(url({ pathname: '/missing' }), /CREATE DATABASE.*3D000/));

  it('for rights that are missing', async () => {
    await using database = await server.createDatabase();
    const plain = database.url.replace(/\/\/[^@]*@/, '//plain:plainsecret@');
    await rejected(plain, /lacks a right.*42501/, ['the server', 'the migration']);
    assert.deepEqual(await tablesOf(database.url), []);
    await migrate({ database: database.url, extent: 'all' });
    await rejected(plain, /lacks a right.*SELECT, INSERT.*42501/);
    await query(database.url, 'grant select, insert, update, delete on all tables in schema public to plain');
    // A server needs no more than these.
    await ways['the server']?.(plain);
    await query(database.url, 'revoke usage on schema public from public');
    await rejected(plain, /^The database \S+ has no schema in which this user can find tables/);
  });

  it('for the database of another application, which stays as it is', async () => {
    await using database = await server.createDatabase();
    for (const table of ['a', 'b', 'c', 'd']) await query(database.url, `create table ${table} (id int)`);
    await rejected(
      database.url,
      /^The database \S+ belongs to another application: it has the tables a, b, c, …, .* search_path\. Nothing was changed\.$/,
    );
    assert.deepEqual(await tablesOf(database.url), ['a', 'b', 'c', 'd']);
    // Another schema is no obstacle.
    await query(database.url, 'create schema own');
    await query(database.url, `alter database ${database.name} set search_path = own`);
    await ways['the migration']?.(database.url);
    await ways['the server']?.(database.url);
  });

  it('for another encoding than UTF8', async () => {
    await server.query(
      `create database latin template template0 encoding 'LATIN1' locale_provider libc locale 'C'`,
    );
    await rejected(server.url('latin'), /^The database \S+ has the encoding LATIN1\. Expected UTF8/);
  });

  it('for a database that is read-only', async () => {
    await using database = await server.createDatabase();
    await query(database.url, `alter database ${database.name} set default_transaction_read_only = on`);
    await rejected(database.url, /No host accepts writes.*accepts no writes/);
  });

  it('for standbys alone', async () => {
    await using standby = await startStandby(server);
    await rejected(standby.url(), /No host accepts writes.*promote a standby/);
  });

  it('for a server that has no free connection', async () => {
    await using database = await server.createDatabase();
    await query(database.url, 'grant all on schema public to plain');
    await query(database.url, 'alter role plain connection limit 0');
    await rejected(
      database.url.replace(/\/\/[^@]*@/, '//plain:plainsecret@'),
      /no free connection.*max_connections/,
    );
    await query(database.url, 'alter role plain connection limit -1');
  });

  it('for migrations of a newer release', async () => {
    await using database = await server.createDatabase(migrated);
    await query(database.url, `insert into schema_migration values ('9999-next', now())`);
    await query(database.url, `update schema_requirement set migration_name = '9999-next'`);
    await rejected(database.url, /written by a newer release of Watchword: it has the migrations 9999-next/);
  });

  it('for tables that are missing', async () => {
    await using database = await server.createDatabase(migrated);
    await query(database.url, 'drop table registry_revision');
    await rejected(database.url, /differ from the tables that its migrations make.*42P01/, ['the server']);
  });

  it('for a migration that a tool needs and does not make', async () => {
    await using database = await server.createDatabase();
    await rejected(database.url, /lacks the migrations 0001-schema.*watchword migrate/, ['a tool']);
    assert.deepEqual(await tablesOf(database.url), []);
  });

  it('for TLS that is wanted and missing, and for a certificate that is not valid', async () => {
    await rejected(url({ search: '?sslmode=require' }), /has no TLS, which the URL demands/);
    const missing = join(directory, 'missing.pem');
    await rejected(
      url({ search: `?sslmode=verify-full&sslrootcert=${missing}` }),
      /^Cannot read the file .*missing\.pem that sslrootcert/,
    );
    const { key, certificate } = testKey('localhost');
    const root = join(directory, 'root.pem');
    await writeFile(root, certificate);
    await withTls(server, key, certificate);
    const verified = `?sslmode=verify-full&sslrootcert=${root}`;
    const host = `localhost:${server.port}`;
    await rejected(
      url({ search: '?sslmode=verify-full', host }),
      /certificate of the server cannot be verified/,
    );
    await rejected(url({ search: verified }), /certificate of the server cannot be verified.*altnames/i);
    await rejected(
      url({ search: `?sslmode=require&sslrootcert=${root}` }),
      /^The URL .*Write sslmode=verify-full/,
    );
    await rejected(url({ search: `?sslmode=require&sslcert=${root}` }), /needs both files/);
    await using database = await server.createDatabase();
    for (const [search, isEncrypted] of [
      [verified, true],
      [`?sslmode=verify-ca&sslrootcert=${root}`, true],
      ['?sslmode=require', true],
      ['', true],
      ['?sslmode=disable', false],
    ] as const) {
      const pathname = `/${database.name}`;
      const open = await openServerStore({
        database: url({ search, pathname, ...(search === verified && { host }) }),
        clock,
      });
      const found = await query(
        database.url,
        `select ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'watchword'`,
      );
      assert.deepEqual([...new Set(found.map(({ ssl }) => ssl))], [isEncrypted], search);
      await open.close();
    }
  });
});

async function tablesOf(database: string): Promise<unknown[]> {
  const rows = await query(
    database,
    `select tablename from pg_tables where schemaname = 'public' order by 1`,
  );
  return rows.map(({ tablename }) => tablename);
}

/** Gives the server a key and a certificate. The files are written by the server itself, which must own them. */
async function withTls(server: PostgresqlServer, key: string, certificate: string): Promise<void> {
  for (const [name, content] of Object.entries({ 'test.key': key, 'test.crt': certificate })) {
    const lines = `select line from unnest(string_to_array($x$${content}$x$, e'\\n')) as line`;
    await server.query(`copy (${lines}) to program 'umask 077; cat > ${name}'`);
  }
  await server.query(`alter system set ssl_key_file = 'test.key'`);
  await server.query(`alter system set ssl_cert_file = 'test.crt'`);
  await server.query('alter system set ssl = on');
  await server.restart();
}
