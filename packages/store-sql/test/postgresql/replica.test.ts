import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FakeClock, tokenFactory } from '@watchword/testkit';
import {
  type PostgresqlServer,
  type StandbyServer,
  startPostgresql,
  startStandby,
} from '@watchword/testkit/postgresql';
import { tcpProxy } from '@watchword/testkit/tcp-proxy';
import { ReplicaWatch } from '../../src/dialects/postgresql/hot/replica-watch.ts';
import { openServerStore, type ServerStore } from '../../src/index.ts';

const makeToken = tokenFactory();

let primary: PostgresqlServer;
let standby: StandbyServer;
before(async () => {
  primary = await startPostgresql();
  standby = await startStandby(primary);
});
after(async () => {
  await standby[Symbol.asyncDispose]();
  await primary[Symbol.asyncDispose]();
});

/** A store that reads at the standby. The test moves its clock. */
async function withReplica(
  work: (store: ServerStore, clock: FakeClock) => Promise<void>,
  url = standby.url(),
) {
  const clock = new FakeClock();
  const store = await openServerStore({ database: primary.url(), postgresql: { replica: url }, clock });
  try {
    await beat(store);
    await work(store, clock);
  } finally {
    await store.close();
  }
}

/** Writes the heartbeat, and waits until the standby has it. */
async function beat(store: ServerStore): Promise<void> {
  await store.replica?.beat();
  await standby.replayed(primary);
}

/** What the store has reported so far. */
function problemsOf(store: ServerStore): unknown[] {
  const problems: unknown[] = [];
  store.replica?.watch((problem) => problems.push(problem));
  return problems;
}

const lookups = (store: ServerStore) => store.replica?.state().lookups;

async function issued(store: ServerStore): Promise<string> {
  const token = makeToken();
  await store.accessTokens.insert(token);
  return token.id;
}

/** What the work does at the primary does not reach the standby before the end of the work. */
async function whileReplayIsPaused(work: () => Promise<void>): Promise<void> {
  await standby.query('select pg_wal_replay_pause()');
  try {
    await work();
  } finally {
    await standby.query('select pg_wal_replay_resume()');
  }
}

describe('a replica that cannot be used', () => {
  it('is reported when that has lasted for five seconds, and again when it can be used for as long', () => {
    const [watch, reports] = [new ReplicaWatch(), [] as unknown[]];
    watch.watch((problem) => reports.push(problem));
    for (const at of [0, 4999]) watch.saw('late', at);
    watch.saw(undefined, 5000);
    for (const at of [5100, 10_099]) watch.saw('late', at);
    assert.deepEqual(reports, []);
    for (const at of [10_100, 20_000]) watch.saw('late', at);
    assert.deepEqual(reports, ['late']);
    for (const at of [20_001, 25_000]) watch.saw(undefined, at);
    assert.deepEqual(reports, ['late']);
    watch.saw(undefined, 25_001);
    assert.deepEqual(reports, ['late', undefined]);
  });
});

describe('a replica', () => {
  it('answers lookups of access tokens while its heartbeat is young', () =>
    withReplica(async (store) => {
      const id = await issued(store);
      await beat(store);
      assert.notEqual(await store.accessTokens.find(id), undefined);
      assert.deepEqual(lookups(store), { replica: 1, primary: 0 });
      assert.deepEqual([store.replica?.state().isUsed, store.replica?.state().age], [true, 0]);
    }));

  it('is not asked for other rows', () =>
    withReplica(async (store) => {
      await store.authorizationCodes.find('018f0000-0000-7000-8000-000000000000');
      assert.deepEqual(lookups(store), { replica: 0, primary: 0 });
    }));

  it('leaves a token that it does not have to the primary', () =>
    withReplica((store) =>
      whileReplayIsPaused(async () => {
        const id = await issued(store);
        assert.notEqual(await store.accessTokens.find(id), undefined);
        assert.deepEqual(lookups(store), { replica: 0, primary: 1 });
        assert.equal(store.replica?.state().isUsed, true);
      }),
    ));

  it('whose replay has stopped answers for less than half a second', () =>
    withReplica(async (store, clock) => {
      const id = await issued(store);
      await beat(store);
      await whileReplayIsPaused(async () => {
        await store.accessTokens.revoke(id);
        clock.advance(499);
        assert.notEqual(await store.accessTokens.find(id), undefined);
        clock.advance(1);
        await store.replica?.beat();
        assert.equal(await store.accessTokens.find(id), undefined);
        assert.deepEqual([store.replica?.state().isUsed, store.replica?.state().age], [false, 500]);
        assert.deepEqual(problemsOf(store), []);
      });
    }));

  it('with a heartbeat from the future is not used, because its age is not known', () =>
    withReplica(async (store, clock) => {
      const id = await issued(store);
      clock.advance(501);
      await beat(store);
      clock.advance(-500);
      assert.notEqual(await store.accessTokens.find(id), undefined);
      assert.deepEqual(lookups(store), { replica: 0, primary: 1 });
    }));

  it('of a copy of the database is not used, although servers of the copy keep its heartbeat young', async () => {
    await using copy = await startStandby(primary);
    await withReplica(async (store, clock) => {
      await store.leases.take('replica-heartbeat', 'ours', clock.now(), 1000);
      const id = await issued(store);
      await copy.replayed(primary);
      await copy.promote();
      await copy.query('update heartbeat set beaten_at = $1', [clock.now()]);
      await copy.query(`update lease set holder = 'theirs'`);
      await store.accessTokens.revoke(id);
      assert.equal(await store.accessTokens.find(id), undefined);
      assert.deepEqual(lookups(store), { replica: 0, primary: 1 });
    }, `${copy.url()}?target_session_attrs=any`);
  });

  it('that cannot be reached leaves everything to the primary, at the start too', async () => {
    await using proxy = await tcpProxy({ port: standby.port });
    await withReplica(async (store) => {
      const id = await issued(store);
      await beat(store);
      assert.notEqual(await store.accessTokens.find(id), undefined);
      proxy.refuse();
      proxy.cut();
      assert.notEqual(await store.accessTokens.find(id), undefined);
      assert.deepEqual(lookups(store), { replica: 1, primary: 1 });
      await withReplica(async (other) => {
        assert.notEqual(await other.accessTokens.find(id), undefined);
        assert.deepEqual(other.replica?.state(), {
          age: undefined,
          isUsed: false,
          lookups: { replica: 0, primary: 1 },
        });
      }, proxy.url(standby.url()));
    }, proxy.url(standby.url()));
  });

  it('that hangs is not waited for', async () => {
    await using proxy = await tcpProxy({ port: standby.port });
    await withReplica(async (store) => {
      const id = await issued(store);
      await beat(store);
      await store.accessTokens.find(id);
      proxy.hold('answers');
      assert.notEqual(await store.accessTokens.find(id), undefined);
      assert.deepEqual(lookups(store), { replica: 1, primary: 1 });
      proxy.cut();
    }, proxy.url(standby.url()));
  });

  it('of another database is refused at the start', async () => {
    await using other = await primary.createDatabase();
    await (await openServerStore({ database: other.url, clock: new FakeClock() })).close();
    await assert.rejects(
      withReplica(async () => {}, `${other.url}?target_session_attrs=any`),
      { name: 'DatabaseOpenError', message: /replica .* has another database than --database/ },
    );
  });

  it('that was promoted is not used by a server that connects later', async () => {
    await using promoted = await startStandby(primary);
    await promoted.promote();
    await withReplica(async (store) => {
      const id = await issued(store);
      await store.accessTokens.find(id);
      assert.deepEqual(lookups(store), { replica: 0, primary: 1 });
      assert.match(String(problemsOf(store)), /^PostgreSQL: no server can be used: .*: is no standby$/);
    }, promoted.url());
  });
});
