import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Clock } from '@watchword/protocol';
import { type PostgresqlServer, query, startPostgresql } from '@watchword/testkit/postgresql';
import { migrate, openServerStore } from '../../src/index.ts';

const systemClock: Clock = { now: () => Date.now() };

/** True of servers for tests. */
const fsyncIsOff =
  'fsync is off: a crash of the machine can damage the database, or lose tokens. Set it to on.';

describe('the checks of the database server at the start of a server', () => {
  let server: PostgresqlServer;
  let template: string;
  before(async () => {
    // One of them makes and drops the databases of the tests.
    server = await startPostgresql({ settings: { max_connections: '31' } });
    await server.query(`create role plain login password 'plainsecret'`);
    template = await server.template('served', async (database) => {
      await migrate({ database, extent: 'all' });
      await query(database, 'grant select, insert, update, delete on all tables in schema public to plain');
    });
  });
  after(() => server[Symbol.asyncDispose]());

  interface Given {
    readonly postgresql?: Parameters<typeof openServerStore>[0]['postgresql'];
    /** The server listens by a URL of its own. */
    readonly listens?: boolean;
    /** Run as the superuser before the checks. */
    readonly statements?: readonly string[];
  }

  /** The advice for a server whose role has the rights of the guide, on a database of its own. */
  async function advice({ postgresql = {}, listens = false, statements = [] }: Given = {}) {
    await using database = await server.createDatabase(template);
    const url = database.url.replace(/\/\/[^@]*@/, '//plain:plainsecret@');
    const options = listens ? { ...postgresql, listen: url } : postgresql;
    const store = await openServerStore({ database: url, clock: systemClock, postgresql: options });
    try {
      for (const statement of statements) await query(database.url, statement);
      const failures: unknown[] = [];
      const found = (await store.advise?.((error) => failures.push(error))) ?? [];
      return { found, sentences: found.filter((sentence) => sentence !== fsyncIsOff), failures };
    } finally {
      await store.close();
      await query(database.url, 'alter role plain reset all');
      await query(database.url, 'alter role plain connection limit -1');
    }
  }

  it('find that fsync is off, and nothing else where all is well', async () => {
    const { found, failures } = await advice();
    assert.deepEqual([found, failures], [[fsyncIsOff], []]);
  });

  it('find commits of the role that are not durable, although those of the server are', async () => {
    await server.query('alter role plain set synchronous_commit = off');
    const { sentences } = await advice();
    assert.equal(sentences.length, 1);
    assert.match(
      sentences[0] ?? '',
      /^synchronous_commit is off for the role plain\..*synchronous_commit = on\.$/,
    );
  });

  it('find a right that is missing', async () => {
    const { sentences } = await advice({ statements: ['revoke delete on client from plain'] });
    assert.deepEqual(sentences, [
      'The role plain lacks the right to delete in the table client. As the owner of the table, run: grant select, insert, update, delete on client to plain.',
    ]);
  });

  it('count the connections of all workers and of their listeners', async () => {
    const most = { connections: 6, otherConnections: 3 };
    assert.deepEqual((await advice({ postgresql: { ...most, processes: 3 } })).sentences, []);
    const { sentences } = await advice({ postgresql: { ...most, processes: 3 }, listens: true });
    assert.deepEqual(sentences, [
      'A server opens up to 30 connections, and max_connections leaves 27 for it. Raise max_connections, lower postgresql.connections and postgresql.otherConnections, run fewer workers, or use a connection pooler.',
    ]);
    // A pooler shares its connections among all workers.
    const pooled = { ...most, processes: 300, preparedStatements: false };
    assert.deepEqual((await advice({ postgresql: pooled })).sentences, []);
  });

  it('find a limit of the role or of the database that is lower', async () => {
    const { sentences } = await advice({
      statements: [
        'alter role plain connection limit 5',
        `do $$ begin execute format('alter database %I connection limit 7', current_database()); end $$`,
      ],
    });
    assert.match(
      sentences[0] ?? '',
      /up to 8 connections, and the connection limit of the role plain leaves 5 /,
    );
    assert.match(sentences[1] ?? '', /limit of the database test_\w+ leaves 7 .* \(alter database test_/);
  });

  it('go on when one of them cannot be made', async () => {
    await server.query('alter role plain set synchronous_commit = off');
    const { sentences, failures } = await advice({
      statements: ['revoke select on pg_catalog.pg_stat_activity from public'],
    });
    assert.equal(failures.length, 1);
    assert.match(String(failures[0]), /permission denied/);
    assert.match(sentences.join(), /^synchronous_commit is off/);
  });
});
