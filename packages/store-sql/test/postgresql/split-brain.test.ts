import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type ResourceServer, StoreUnavailableError } from '@watchword/protocol';
import { addResourceServer, FakeClock, slowTest, tokenFactory } from '@watchword/testkit';
import {
  type PostgresqlServer,
  type StandbyServer,
  startPostgresql,
  startStandby,
} from '@watchword/testkit/postgresql';
import { type TcpProxy, tcpProxy } from '@watchword/testkit/tcp-proxy';
import {
  checkDatabase,
  DatabaseOpenError,
  openServerStore,
  openStore,
  type ServerStore,
} from '../../src/index.ts';

const makeToken = tokenFactory();
const clock = new FakeClock();

/** The URL with the hosts of several servers. */
function together(first: PostgresqlServer, ...ports: readonly number[]): string {
  const own = `127.0.0.1:${first.port}`;
  return first.url().replace(own, [own, ...ports.map((port) => `127.0.0.1:${port}`)].join(','));
}

async function opened(database: string) {
  const store = await openServerStore({ database, clock });
  const events: string[] = [];
  store.primary?.watch((event) => {
    events.push(
      event.kind === 'changed' ? `timeline ${event.from.timeline} to ${event.to.timeline}` : event.kind,
    );
  });
  return { store, events };
}

const write = (store: ServerStore) => store.accessTokens.insert(makeToken());

const rowsOf = async (server: PostgresqlServer) =>
  (await server.query('select count(*) as rows from access_token'))[0]?.rows;

/** Repeats the work for at most 30 s, until it does not reject. */
async function succeeds(work: () => Promise<unknown>): Promise<void> {
  for (const end = performance.now() + 30_000; ; ) {
    const error = await work().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error === undefined) return;
    assert.ok(performance.now() < end, String(error));
    await delay(10);
  }
}

/** Asks until the error is the one that is expected: open connections end one after the other. */
const isRefused = (work: () => Promise<unknown>, text: RegExp) =>
  succeeds(async () => {
    const error = await work().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof StoreUnavailableError && text.test(error.message), String(error));
  });

const bothAcceptWrites =
  /127\.0\.0\.1:\d+ \(timeline 1\) and 127\.0\.0\.1:\d+ \(timeline 2\) are two servers of one database/;

/** Looks until both have answered in time. */
const isFound = (store: ServerStore) =>
  succeeds(async () => {
    await store.primary?.look();
    assert.match(store.primary?.problem() ?? '', bothAcceptWrites);
  });

/** Opens until both have answered in time. */
const isNotOpened = (open: () => Promise<object>) =>
  succeeds(async () => {
    const error = await open().then(
      async (opened) => {
        if ('close' in opened && typeof opened.close === 'function') await opened.close();
      },
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof DatabaseOpenError, String(error));
    assert.match(error.message, bothAcceptWrites);
  });

/** Reads the changes, after the node has found the server again. */
const refreshed = (store: ServerStore) => succeeds(() => store.refreshRegistry());

describe('two servers of one database that both accept writes', () => {
  let primary: PostgresqlServer;
  let proxy: TcpProxy;
  let standby: StandbyServer;
  let url: string;
  let store: ServerStore;
  let lost: ResourceServer;
  before(async () => {
    primary = await startPostgresql();
    proxy = await tcpProxy({ port: primary.port });
    standby = await startStandby(primary, { primaryPort: proxy.port });
    url = together(primary, standby.port);
  });
  after(async () => {
    await store.close();
    for (const each of [standby, proxy, primary]) await each[Symbol.asyncDispose]();
  });

  // In this order: the second test is about the change that only the stopped server has.
  it('are both written no more, until one of them is stopped', async () => {
    const node = await opened(url);
    const { events } = node;
    store = node.store;
    await write(store);
    await standby.replayed(primary);
    proxy.refuse();
    lost = await addResourceServer(store, 'lost');
    await store.refreshRegistry();
    assert.deepEqual(store.registry.resourceServerById(lost.id), lost);
    await standby.promote();
    await isFound(store);
    const before = [await rowsOf(primary), await rowsOf(standby)];
    for (let time = 0; time < 3; time += 1) {
      await assert.rejects(write(store), (error) => {
        assert.ok(error instanceof StoreUnavailableError);
        assert.match(error.message, bothAcceptWrites);
        return true;
      });
    }
    await isRefused(() => store.check(), bothAcceptWrites);
    assert.match(store.primary?.problem() ?? '', bothAcceptWrites);
    assert.deepEqual([await rowsOf(primary), await rowsOf(standby)], before);
    assert.deepEqual(events, ['stopped']);

    await isNotOpened(() => openStore({ database: url, clock }));
    await isNotOpened(() => checkDatabase({ database: url, clock }));
    await isNotOpened(() => openServerStore({ database: url, clock }));

    await primary.stop('fast');
    await succeeds(() => write(store));
    assert.equal(store.primary?.problem(), undefined);
    assert.deepEqual(events, ['stopped', 'goes-on', 'timeline 1 to 2']);
  });

  it('leave no node with a change that is lost, although another one has its revision', async () => {
    const other = await openServerStore({ database: url, clock });
    const kept = await addResourceServer(other, 'kept');
    assert.equal(kept.id, lost.id);
    await refreshed(store);
    assert.deepEqual(store.registry.resourceServerById(kept.id), kept);
    await other.close();
  });

  slowTest('are found by a role without rights of its own', async () => {
    await using primary = await startPostgresql();
    await primary.query(`create role plain login password 'plainsecret'`);
    await using standby = await startStandby(primary);
    await standby.promote();
    const database = together(primary, standby.port).replace(/\/\/[^@]*@/, '//plain:plainsecret@');
    await isNotOpened(() => openStore({ database, clock }));
  });
});

describe('a server that accepts writes', () => {
  slowTest(
    'is not used if its timeline is older than the one that was used, such as an old primary that is back',
    async () => {
      await using primary = await startPostgresql();
      await using standby = await startStandby(primary);
      const { store, events } = await opened(together(primary, standby.port));
      await standby.replayed(primary);
      await primary.kill();
      await standby.promote();
      await succeeds(() => write(store));
      await standby.stop('fast');
      await primary.restart();
      const older = /accepts writes on timeline 1, which is older than timeline 2 of 127\.0\.0\.1:\d+/;
      await isRefused(() => write(store), older);
      await store.primary?.look();
      await isRefused(() => write(store), older);
      assert.deepEqual(events, ['timeline 1 to 2', 'stopped']);
      await primary.stop('fast');
      await standby.restart();
      await succeeds(() => write(store));
      assert.deepEqual(events, ['timeline 1 to 2', 'stopped', 'goes-on']);
      await store.close();
    },
  );

  slowTest('is one server under two names, also behind a proxy and after a restart', async () => {
    await using primary = await startPostgresql();
    await using proxy = await tcpProxy({ port: primary.port });
    const { store, events } = await opened(together(primary, Number(new URL(proxy.url(primary.url())).port)));
    await store.primary?.look();
    await write(store);
    await primary.restart();
    await succeeds(() => write(store));
    await store.primary?.look();
    await write(store);
    assert.deepEqual(events, []);
    await store.close();
  });
});
