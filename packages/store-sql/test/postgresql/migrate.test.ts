import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { FakeClock } from '@watchword/testkit';
import {
  type Databases,
  type PostgresqlDatabase,
  postgresqlServer,
  query,
} from '@watchword/testkit/postgresql';
import { migrate, openServerStore } from '../../src/index.ts';
import { migrations } from '../../src/schema/migrations.ts';

const names = Object.keys(migrations);
const clock = new FakeClock();

describe('migrating a PostgreSQL database', () => {
  let server: Databases;
  let shared: PostgresqlDatabase;
  before(async () => {
    server = await postgresqlServer();
    shared = await server.createDatabase();
  });
  after(() => shared.drop());

  it('happens once when several nodes start together', async () => {
    await using database = await server.createDatabase();
    const stores = await Promise.all(
      Array.from({ length: 2 }, () => openServerStore({ database: database.url, clock })),
    );
    assert.deepEqual(stores.map(({ migrated }) => migrated.length).toSorted(), [0, names.length]);
    for (const store of stores) await store.close();
  });

  // In this order: the second one migrates the database, and the third one reads it.
  it('changes nothing in a dry run', async () => {
    const report = await migrate({ database: shared.url, extent: 'none' });
    assert.deepEqual(
      report.pending.map(({ name }) => name),
      names,
    );
    assert.deepEqual(await query(shared.url, `select 1 from pg_tables where schemaname = 'public'`), []);
  });

  it('leaves nothing when it is killed in the middle, and is done by the next one', async () => {
    // A migration gets no further than this table, until the lock is released.
    const holder = query(
      shared.url,
      `begin; create table write_proof (id bigint); select pg_sleep(60); rollback`,
    );
    const ended = assert.rejects(holder, /terminating connection/);
    const killed = assert.rejects(migrate({ database: shared.url, extent: 'all' }), /lost|terminating/);
    const waiting = `from pg_stat_activity where application_name = 'watchword-cli' and wait_event_type = 'Lock' and datname = current_database()`;
    while ((await query(shared.url, `select 1 ${waiting}`)).length === 0) await delay(10);
    await query(shared.url, `select pg_terminate_backend(pid, 5000) ${waiting}`);
    await killed;
    await query(
      shared.url,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where query like '%pg_sleep%' and pid <> pg_backend_pid() and datname = current_database()`,
    );
    await ended;
    const tables = await query(shared.url, `select tablename from pg_tables where schemaname = 'public'`);
    assert.deepEqual(tables, []);
    assert.deepEqual((await migrate({ database: shared.url, extent: 'all' })).migrated, names);
  });

  it('orders text by its bytes, whatever the order of the database is', async () => {
    const columns = await query(
      shared.url,
      `select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and data_type = 'text' and collation_name is distinct from 'C'`,
    );
    assert.deepEqual(columns, []);
  });
});
