import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@watchword/testkit';
import { postgresqlServer, query } from '@watchword/testkit/postgresql';
import { inspect, openServerStore, openStore } from '../../src/index.ts';
import { postgresqlNodes } from '../support/postgresql-node.ts';

const clock = new FakeClock();

describe('an inspection of a PostgreSQL database', () => {
  it('finds the servers of each release, whatever name a URL gives to connections, and no tool', async () => {
    await using database = await postgresqlNodes();
    const named = `${database.url}?application_name=ours`;
    const servers = [
      await openServerStore({ database: database.url, clock, release: '0.9.0' }),
      await openServerStore({ database: named, clock, release: '0.10.0-rc.1' }),
      await openServerStore({ database: named, clock }),
    ];
    const tool = await openStore({ database: database.url, clock });
    const { servers: seen } = await inspect({ database: database.url });
    assert.deepEqual(seen.map(({ release }) => release).toSorted(), ['0.10.0-rc.1', '0.9.0', undefined]);
    assert.ok(seen.every(({ connections = 0, since = 0 }) => connections > 0 && since > 1_600_000_000_000));
    for (const store of [...servers, tool]) await store.close();
  });

  it('makes no table in an empty database', async () => {
    await using database = await (await postgresqlServer()).createDatabase();
    const { applied, problem, pending } = await inspect({ database: database.url });
    assert.deepEqual([applied, problem, pending[0]?.name], [[], undefined, '0001-schema']);
    const tables = await query(
      database.url,
      "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    );
    assert.deepEqual(tables, []);
  });

  it('tells a role without rights to statistics the releases, and not since when', async () => {
    await using database = await postgresqlNodes();
    const server = await openServerStore({ database: database.url, clock, release: '0.9.0' });
    const role = `seeing_${new URL(database.url).pathname.slice(1)}`;
    await query(database.url, `create role ${role} login password 'x'`);
    await query(database.url, `grant select on all tables in schema public to ${role}`);
    try {
      const url = database.url.replace(/\/\/[^@]*@/, `//${role}:x@`);
      const { servers } = await inspect({ database: url });
      assert.deepEqual(
        servers.map(({ release, since }) => [release, since]),
        [['0.9.0', undefined]],
      );
    } finally {
      await server.close();
      await query(database.url, `drop owned by ${role}`);
      await query(database.url, `drop role ${role}`);
    }
  });
});
