import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { StoreUnavailableError } from '@watchword/protocol';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { databaseFor, dropDatabases } from '@watchword/server-testkit/servers/engine';
import {
  addClient,
  addResourceServer,
  buildAccount,
  FakeClock,
  grantFactory,
  sessionFactory,
} from '@watchword/testkit';
import { query, withConnection } from '@watchword/testkit/postgresql';
import { tcpProxy } from '@watchword/testkit/tcp-proxy';
import { openServerStore, openStore, type ServerStore, type Store } from '../../src/index.ts';
import { type Emptying, emptying } from '../support/emptying.ts';

const hour = 3_600_000;

const name = `nodes-${crypto.randomUUID()}`;
let database: string;
let emptied: Emptying;
before(async () => {
  await copyMigrated(name, 'postgresql');
  database = await databaseFor(name, 'postgresql');
  emptied = await emptying(database);
});
after(async () => {
  await emptied[Symbol.asyncDispose]();
  await dropDatabases(name);
});

/** Nodes on the database, which is emptied after the test. `throughProxy` leads to it through a proxy. */
async function nodes(context: { after(end: () => unknown): void }) {
  const url = new URL(database);
  const proxy = await tcpProxy({ host: url.hostname, port: Number(url.port) });
  const opened: Store[] = [];
  context.after(async () => {
    proxy.release();
    for (const store of opened) await store.close();
    await proxy[Symbol.asyncDispose]();
    await emptied.empty();
  });
  const open = async (options: Partial<Parameters<typeof openServerStore>[0]> = {}): Promise<ServerStore> => {
    const store = await openServerStore({ database, clock: new FakeClock(), ...options });
    opened.push(store);
    return store;
  };
  return { open, proxy, throughProxy: proxy.url(database), opened };
}

async function until(condition: () => boolean): Promise<void> {
  for (const deadline = performance.now() + 10_000; !condition(); ) {
    assert.ok(performance.now() < deadline, 'it has not happened');
    await delay(5);
  }
}

describe('a node on PostgreSQL', () => {
  it('hears of a change of another node without polling, if it listens', async (context) => {
    const { open } = await nodes(context);
    const [one, two] = [await open(), await open({ postgresql: { listen: database } })];
    context.mock.timers.enable({ apis: ['setInterval'] });
    two.watchRegistry((error) => assert.fail(String(error)));
    const api = await addResourceServer(one);
    await until(() => two.registry.resourceServerById(api.id) !== undefined);
    await one.transact(async ({ clients }) => void (await addClient({ clients }, 'x', api)));
    await until(() => two.registry.clientByClientId('x') !== undefined);
  });

  it('listens again after its connection was cut, and reads what it missed', async (context) => {
    const { open, proxy, throughProxy } = await nodes(context);
    const [one, two] = [await open(), await open({ postgresql: { listen: throughProxy } })];
    context.mock.timers.enable({ apis: ['setInterval'] });
    two.watchRegistry((error) => assert.fail(String(error)));
    proxy.refuse();
    const missed = await addResourceServer(one, 'missed');
    proxy.accept();
    await until(() => two.registry.resourceServerById(missed.id) !== undefined);
    const heard = await addResourceServer(one, 'heard');
    await until(() => two.registry.resourceServerById(heard.id) !== undefined);
  });

  it('decides in a transaction after those of the others, by what they have left', async (context) => {
    const { open } = await nodes(context);
    const both = [await open(), await open()];
    const account = buildAccount();
    await both[0]?.accounts.create(account);
    const of = { accountId: account.id, identityProvider: 'elsewhere', name: 'emma', lastUsed: 0 };
    const left = async () => (await both[0]?.accountLinks.listOfAccount(account.id)) ?? [];
    // Each removes one of two links, unless it is the last one.
    for (let round = 0; round < 10; round += 1) {
      for (const authenticator of ['0', '1'])
        await both[0]?.accountLinks.create({
          ...of,
          authenticator,
          subject: authenticator,
          creationDate: round,
        });
      await Promise.all(
        both.map(({ transact }, node) =>
          transact(async ({ accountLinks }) => {
            const { length } = await accountLinks.listOfAccount(account.id);
            if (length > 1) await accountLinks.delete(account.id, String(node));
          }),
        ),
      );
      assert.equal((await left()).length, 1);
    }
  });

  it('does not start with a URL for listening that leads nowhere, and says so', async (context) => {
    const { open } = await nodes(context);
    const listen = database.replace(/\/[^/]*$/, '/nowhere');
    await assert.rejects(
      open({ postgresql: { listen } }),
      /^DatabaseOpenError: Cannot use the database of databaseListen, \S*\/nowhere: There is no such database on the server/,
    );
  });

  it('does not start with a URL for listening that leads to another database, and names both', async (context) => {
    const { open } = await nodes(context);
    const own = new URL(database).pathname.slice(1);
    const listen = database.replace(/\/[^/]*$/, '/postgres');
    await assert.rejects(open({ postgresql: { listen } }), (error: Error) => {
      assert.match(
        error.message,
        /^databaseListen \(\S+\/postgres\) leads to the database "postgres", and the URL of the database leads to "/,
      );
      assert.ok(error.message.endsWith(`: name "${own}" in databaseListen.`), error.message);
      return true;
    });
  });

  it('has the time of the database, whatever the clock of its machine', async (context) => {
    const { open, opened } = await nodes(context);
    const now = async () => {
      const [row] = await query(
        database,
        'select 1000 * extract(epoch from clock_timestamp())::float8 as now',
      );
      return Number(row?.now);
    };
    for (const ahead of [-hour, hour]) {
      const machine = { clock: { now: () => Date.now() + ahead }, isMachineClock: true };
      const tool = await openStore({ database, ...machine });
      opened.push(tool);
      for (const { clock } of [await open(machine), tool]) {
        const difference = clock.now() - (await now());
        assert.ok(Math.abs(difference) < hour / 2, `${difference} ms`);
        assert.equal(clock.othersAhead, 2000);
      }
    }
  });

  it('ends what was stored while another node changed the account, and was checked before the commit', async (context) => {
    const { open } = await nodes(context);
    const [one, two] = [await open(), await open()];
    await one.accounts.create(buildAccount());
    const [session, grants] = [sessionFactory()(), grantFactory()];
    const grant = grants.grant();
    const { accessToken } = grants.tokens(grant);
    const [changed, checked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const changing = one.transact(async ({ accounts }) => {
      await accounts.update('emma', { disabled: true }, session.creationDate);
      changed.resolve();
      await checked.promise;
    });
    await changed.promise;
    await two.loginSessions.insert(session);
    await two.grants.insert(grant, accessToken);
    assert.equal((await two.accounts.find('emma'))?.disabled, false);
    assert.notEqual(await two.loginSessions.find(session.id), undefined);
    checked.resolve();
    await changing;
    assert.equal(await two.loginSessions.find(session.id), undefined);
    assert.equal(await two.accessTokens.find(accessToken.id), undefined);
  });

  it('does not wait for a connection that hangs, and rejects what needs new records', async (context) => {
    const { open, proxy, throughProxy } = await nodes(context);
    const node = await open({ database: throughProxy });
    assert.ok(node.recordsAreCurrent());
    proxy.hold('answers');
    await assert.rejects(node.refreshRegistry(), StoreUnavailableError);
    assert.ok(!node.recordsAreCurrent());
    proxy.cut();
    proxy.release();
    const api = await addResourceServer(await open());
    await node.refreshRegistry();
    assert.equal(node.registry.resourceServerById(api.id)?.id, api.id);
    assert.ok(node.recordsAreCurrent());
  });

  it('withdraws the access of a client from a token, too, that an administrator issues at the same time', async (context) => {
    const { open } = await nodes(context);
    const store = await open();
    const make = grantFactory();
    const grant = make.grant();
    let withdrawal: Promise<unknown> | undefined;
    await store.transact(async ({ issuedTokens }) => {
      let isOver = false;
      withdrawal = store.grants
        .withdraw(grant.owner.subject, [{ clientRecordId: grant.clientRecordId }], grant.creationDate)
        .then(() => {
          isOver = true;
        });
      const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      while (!isOver && (await query(database, waiting)).length === 0) await delay(10);
      await issuedTokens.insert(make.tokens(grant).accessToken, grant);
    });
    await withdrawal;
    assert.deepEqual(await store.grants.listBySubject(grant.owner.subject, grant.creationDate), []);
  });

  it('ends access of a user although another transaction holds the sessions in another order', async (context) => {
    const { open } = await nodes(context);
    const store = await open();
    const make = sessionFactory();
    const [one, two] = [make(), make()].sort((a, b) => (a.id < b.id ? -1 : 1));
    assert.ok(one && two);
    await Promise.all([one, two].map((session) => store.loginSessions.insert(session)));
    const hold = ({ id }: { readonly id: string }) =>
      `select 1 from login_session where id = '\\x${id.replaceAll('-', '')}' for share`;
    const ends = [
      () => store.grants.withdraw(one.owner.subject, [{ clientRecordId: 1 }], 5),
      () =>
        store.transact(({ grants }) =>
          grants.endAccess([{ subjects: [one.owner.subject], clientRecordId: 1 }], 5),
        ),
    ];
    for (const end of ends) {
      await withConnection(database, async (other) => {
        // The end finds the deadlock, so its transaction is the one that is rolled back.
        await other.query("set deadlock_timeout = '1min'");
        await other.query(`begin; ${hold(two)}`);
        const ended = end();
        await other.query(
          `do $$ begin while not exists (select 1 from pg_locks where not granted)
            loop perform pg_sleep(0.01); end loop; end $$`,
        );
        await other.query(`${hold(one)}; commit`);
        await ended;
      });
    }
    assert.equal((await store.loginSessions.find(two.id))?.ends, 2);
  });
});
