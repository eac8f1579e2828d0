import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { StoreUnavailableError } from '@watchword/protocol';
import { slowTest } from '@watchword/testkit';
import {
  type PostgresqlServer,
  type StandbyServer,
  startPostgresql,
  startStandby,
} from '@watchword/testkit/postgresql';
import { tcpProxy } from '@watchword/testkit/tcp-proxy';
import type { ConnectionPool } from '../../src/dialects/postgresql/connection/pool.ts';
import { commit } from '../../src/dialects/postgresql/connection/session.ts';
import { withPool } from './support/pool.ts';

const whereAmI = { text: 'select current_setting($1), pg_is_in_recovery()', values: ['port'] };
const write = { text: 'insert into t default values', values: [] };

async function portOf(pool: ConnectionPool): Promise<number> {
  const [found] = await pool.use((session) => session.pipeline([whereAmI]));
  return Number(found?.rows[0]?.[0]);
}

/** The URL with the hosts of several servers. */
function together(...servers: readonly PostgresqlServer[]): string {
  const [first, ...others] = servers.map((server) => new URL(server.url()));
  return String(first).replace(first?.host ?? '', [first, ...others].map((url) => url?.host).join(','));
}

/** Repeats the work until it succeeds with a value that fits. */
async function until<Value>(
  work: () => Promise<Value>,
  fits: (value: Value) => boolean = () => true,
): Promise<Value> {
  for (;;) {
    const result = await work().then(
      (value) => ({ value }),
      () => undefined,
    );
    if (result !== undefined && fits(result.value)) return result.value;
    await delay(10);
  }
}

const isUnavailable = (text: RegExp) => (error: unknown) =>
  error instanceof StoreUnavailableError && text.test(error.message);

let primary: PostgresqlServer;
before(async () => {
  primary = await startPostgresql();
  await primary.query('create table t (id int generated always as identity)');
});
after(() => primary[Symbol.asyncDispose]());

describe('several hosts', () => {
  let standby: StandbyServer;
  before(async () => {
    standby = await startStandby(primary);
  });
  after(async () => {
    await standby[Symbol.asyncDispose]();
    await primary.restart();
  });

  it('are tried until one accepts writes', async () => {
    await withPool(together(standby, primary), {}, async (pool) => {
      assert.equal(await portOf(pool), primary.port);
    });
    await withPool(`${together(standby, primary)}?target_session_attrs=standby`, {}, async (pool) => {
      assert.equal(await portOf(pool), standby.port);
    });
    await withPool(`${together(primary)}?target_session_attrs=prefer-standby`, {}, async (pool) => {
      assert.equal(await portOf(pool), primary.port);
    });
    await withPool(`${together(standby)}?target_session_attrs=read-only`, {}, async (pool) => {
      assert.equal(await portOf(pool), standby.port);
    });
    await withPool(together(standby), {}, async (pool) => {
      await assert.rejects(pool.open(), /accepts no writes/);
    });
  });

  it('are searched again when the primary is gone and a standby is promoted', async () => {
    await withPool(together(primary, standby), { size: 3 }, async (pool) => {
      await Promise.all([pool.use((session) => session.pipeline([write])), portOf(pool), portOf(pool)]);
      await standby.replayed(primary);
      await primary.kill();
      await standby.promote();
      assert.equal(await until(() => portOf(pool)), standby.port);
      await pool.use((session) => session.pipeline([write]));
      assert.equal((await standby.query('select count(*) as rows from t'))[0]?.rows, 2);
    });
  });

  slowTest('are searched again when a server has become read-only under open connections', async () => {
    await using first = await startPostgresql();
    await using second = await startPostgresql();
    for (const server of [first, second])
      await server.query('create table t (id int generated always as identity)');
    await withPool(together(first, second), { size: 2 }, async (pool) => {
      await Promise.all([portOf(pool), portOf(pool)]);
      await first.query('alter system set default_transaction_read_only = on');
      await first.query('select pg_reload_conf()');
      const failed = async () => {
        const error = await pool
          .use((session) => session.pipeline([write]))
          .catch((reason: unknown) => reason);
        return error instanceof StoreUnavailableError;
      };
      // Until the server has read its configuration, it accepts writes.
      await until(failed, (hasFailed) => hasFailed);
      // No connection to it is used any more, also not for reads.
      for (let round = 0; round < 3; round += 1) {
        assert.deepEqual(await Promise.all([portOf(pool), portOf(pool)]), [second.port, second.port]);
      }
      await pool.use((session) => session.pipeline([write]));
    });
  });
});

describe('a pool', () => {
  it('connects again after each way in which the server ends', async () => {
    for (const end of [() => primary.stop('fast'), () => primary.stop('immediate'), () => primary.kill()]) {
      await withPool(primary.url(), { waitTimeout: 300 }, async (pool) => {
        await until(() => portOf(pool));
        await end();
        const answers = await Promise.allSettled(Array.from({ length: 20 }, () => portOf(pool)));
        for (const answer of answers) {
          assert.ok(answer.status === 'rejected' && answer.reason instanceof StoreUnavailableError);
        }
        // After a longer outage callers are rejected immediately, with the reason.
        await assert.rejects(portOf(pool), isUnavailable(/no server can be used|lost/));
        await primary.restart();
        assert.equal(await until(() => portOf(pool)), primary.port);
      });
    }
  });

  it('rejects callers that wait too long, and those who are too many', () =>
    withPool(primary.url(), { size: 1, maxWaiting: 1, waitTimeout: 100 }, async (pool) => {
      await pool.open();
      const released = Promise.withResolvers<void>();
      const started = Promise.withResolvers<void>();
      const holder = pool.use(async () => {
        started.resolve();
        await released.promise;
      });
      await started.promise;
      const waiting = assert.rejects(portOf(pool), isUnavailable(/became free in time/));
      await assert.rejects(portOf(pool), isUnavailable(/too many/));
      await waiting;
      released.resolve();
      await holder;
      assert.equal(await portOf(pool), primary.port);
    }));

  it('gives its connection to the caller that has waited longest', () =>
    withPool(primary.url(), { size: 1 }, async (pool) => {
      const order: number[] = [];
      await Promise.all(
        [1, 2, 3, 4].map((number) =>
          pool.use(async (session) => {
            await session.pipeline([whereAmI]);
            order.push(number);
          }),
        ),
      );
      assert.deepEqual(order, [1, 2, 3, 4]);
    }));

  it('opens as many connections as are wanted at once, up to its size', () =>
    withPool(primary.url(), { size: 3 }, async (pool) => {
      await Promise.all(
        [1, 2, 3, 4, 5].map(() =>
          pool.use((session) => session.pipeline([{ text: 'select pg_sleep(0.05)', values: [] }])),
        ),
      );
      const opened = () =>
        primary.query(
          `select count(*) as open from pg_stat_activity where application_name = 'watchword test'`,
        );
      // The server ends those of other tests a little later.
      await until(opened, ([found]) => found?.open === 3);
    }));

  it('gives up a connection whose server does not answer', async () => {
    await using proxy = await tcpProxy({ port: primary.port });
    await withPool(proxy.url(primary.url()), { statementTimeout: 50 }, async (pool) => {
      await portOf(pool);
      proxy.hold('answers');
      await assert.rejects(portOf(pool), isUnavailable(/did not answer within 1.05 s/));
      proxy.cut();
      proxy.release();
      assert.equal(await portOf(pool), primary.port);
    });
  });

  it('closes when its callers are done, and rejects later ones', async () => {
    let pool: ConnectionPool | undefined;
    let isDone = false;
    await withPool(primary.url(), {}, async (opened) => {
      pool = opened;
      const started = Promise.withResolvers<void>();
      const work = opened.use(async (session) => {
        started.resolve();
        await session.pipeline([{ text: 'select pg_sleep(0.05)', values: [] }]);
        isDone = true;
      });
      await started.promise;
      void work;
    });
    assert.ok(isDone);
    await assert.rejects(portOf(pool as ConnectionPool), isUnavailable(/closed/));
  });

  it('does not acknowledge a commit that no synchronous standby has confirmed', async () => {
    await primary.query(`alter system set synchronous_standby_names = 'none'`);
    await primary.query('select pg_reload_conf()');
    await withPool(primary.url(), {}, async (pool) => {
      const commits = assert.rejects(
        async () => {
          // Until the server has read its configuration, it waits for no standby.
          for (;;) await pool.use((session) => session.pipeline([...session.begin(), write, commit]));
        },
        isUnavailable(/no synchronous standby confirmed the commit/),
      );
      const cancelled = () =>
        primary.query(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`);
      await until(cancelled, (rows) => rows.length > 0);
      await commits;
    });
    await primary.query('alter system reset synchronous_standby_names');
    await primary.query('select pg_reload_conf()');
  });
});
