import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { StoreUnavailableError } from '@watchword/protocol';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { databaseFor, dropDatabases } from '@watchword/server-testkit/servers/engine';
import { FakeClock, tokenFactory } from '@watchword/testkit';
import { connect, openTransaction } from '@watchword/testkit/postgresql';
import { openServerStore, type ServerStore } from '../../src/index.ts';

const makeToken = tokenFactory();

/** The database of all these tests, for the superuser. */
let database: string;
let superuser: Awaited<ReturnType<typeof connect>>;
let directory: string;
/** The file that the URL of the store came from. */
let file: string;
let roles: string[];
let store: ServerStore | undefined;
let isLoaded = false;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watchword-logins-'));
  file = join(directory, 'url');
  await copyMigrated(file, 'postgresql');
  database = await databaseFor(file, 'postgresql');
  superuser = await connect(database);
});
after(async () => {
  await superuser.end();
  await dropDatabases(directory);
  await rm(directory, { recursive: true });
});
beforeEach(() => {
  roles = [];
});
afterEach(async () => {
  isLoaded = false;
  await store?.close();
  store = undefined;
  for (const role of roles) await admin(`drop role ${role}`);
});

const admin = async (text: string, values: readonly unknown[] = []) =>
  (await superuser.query(text, [...values])).rows;

async function newRole(password: string): Promise<string> {
  const role = `role_${randomUUID().replaceAll('-', '')}`;
  await admin(`create role ${role} superuser login password '${password}'`);
  roles.push(role);
  return role;
}

function urlFor(role: string, password: string, name?: string): string {
  const url = new URL(database);
  [url.username, url.password] = [role, password];
  if (name !== undefined) url.pathname = name;
  return url.href;
}

/** Opens a store whose URL came from the file. */
async function opened(url: string, settings: { readonly listen?: string } = {}) {
  await writeFile(file, `${url}\n`);
  const clock = new FakeClock();
  store = await openServerStore({ database: url, postgresql: { urlFile: file, ...settings }, clock });
  const events: string[] = [];
  store.watchLogin?.((event) => events.push(event));
  return { store, events };
}

/** Repeats the work until its value fits, for at most 30 s. */
async function until<Value>(work: () => Promise<Value>, fits: (value: Value) => boolean): Promise<Value> {
  for (const end = performance.now() + 30_000; ; ) {
    const value = await work();
    if (fits(value)) return value;
    assert.ok(performance.now() < end, `it stays ${value}`);
    await delay(5);
  }
}

const connectionsOf = async (role: string) =>
  (await admin('select pid from pg_stat_activity where usename = $1', [role])).length;

/** Ends the connections of the role, so that others must be opened. */
const cutOff = (role: string) =>
  admin('select pg_terminate_backend(pid, 10000) from pg_stat_activity where usename = $1', [role]);

/** Writes without a pause, as requests do. Fails with any error but the one that clients get a 503 for. */
function load({ accessTokens }: ServerStore) {
  let [done, refused] = [0, 0];
  isLoaded = true;
  const write = async () => {
    while (isLoaded) {
      await accessTokens.insert(makeToken()).then(
        () => (done += 1),
        (error: unknown) => {
          assert.ok(error instanceof StoreUnavailableError, String(error));
          refused += 1;
        },
      );
      await delay(5);
    }
  };
  const running = Promise.all([write(), write(), write()]);
  return {
    /** Resolves after further writes. */
    async goesOn() {
      const before = done;
      await until(
        async () => done,
        (now) => now > before + 10,
      );
    },
    async end() {
      isLoaded = false;
      await running;
      return { refused };
    },
  };
}

describe('the password of the database', () => {
  it('is read from its file again when the database refuses the former one, while requests go on', async () => {
    const role = await newRole('former');
    const { store, events } = await opened(urlFor(role, 'former'));
    const requests = load(store);
    await requests.goesOn();
    await admin(`alter role ${role} password 'other'`);
    // Open connections go on.
    await requests.goesOn();
    await cutOff(role);
    await until(
      async () => events,
      (seen) => seen.includes('refused'),
    );
    await writeFile(file, urlFor(role, 'other'));
    await requests.goesOn();
    await requests.end();
    assert.deepEqual(events, ['refused', 'renewed']);
  });

  it('costs no request when it was in the file before connections were lost', async () => {
    const role = await newRole('former');
    const { store, events } = await opened(urlFor(role, 'former'));
    await admin(`alter role ${role} password 'other'`);
    await writeFile(file, urlFor(role, 'other'));
    await cutOff(role);
    await store.refreshRegistry().catch(() => {});
    await store.accessTokens.insert(makeToken());
    assert.deepEqual(events, ['renewed']);
  });

  it('stays while the file is missing, empty, cut short, or names another database or host', async () => {
    const role = await newRole('former');
    const url = urlFor(role, 'former');
    const { store, events } = await opened(url);
    await rm(file);
    await store.readLoginAgain?.();
    const whole = urlFor(role, 'other%2Fsecret');
    const contents = [
      '',
      whole.slice(0, whole.indexOf('@') - 3),
      `${whole}?sslmode=ver`,
      urlFor(role, 'other', 'elsewhere'),
      whole.replace('@', '@other.example,'),
    ];
    for (const content of contents) {
      await writeFile(file, content);
      await store.readLoginAgain?.();
    }
    const unreadable = Array.from({ length: 4 }, () => 'unreadable');
    assert.deepEqual(events.splice(0), [...unreadable, 'elsewhere', 'elsewhere']);
    await writeFile(file, url);
    await store.readLoginAgain?.();
    assert.deepEqual(events, ['unchanged']);
    await store.accessTokens.insert(makeToken());
  });

  it('is reported once as refused, however often the server connects, and its text is in no error', async () => {
    const role = await newRole('former');
    const { store, events } = await opened(urlFor(role, 'former'));
    await admin(`alter role ${role} password 'other'`);
    await writeFile(file, 'postgres://geheim');
    await cutOff(role);
    const errors: unknown[] = [];
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await store.accessTokens.insert(makeToken()).catch((error: unknown) => errors.push(error));
    }
    assert.match(String(errors), /StoreUnavailableError: PostgreSQL: no server can be used/);
    assert.doesNotMatch(String(errors), /geheim|former/);
    assert.deepEqual(events, ['unreadable', 'refused']);
  });

  it('is tried before it replaces one that works', async () => {
    const role = await newRole('former');
    const { store, events } = await opened(urlFor(role, 'former'));
    await writeFile(file, urlFor(role, 'not yet'));
    await store.readLoginAgain?.();
    await cutOff(role);
    await store.refreshRegistry().catch(() => {});
    await store.accessTokens.insert(makeToken());
    await admin(`alter role ${role} password 'not yet'`);
    await store.readLoginAgain?.();
    assert.deepEqual(events, ['refused', 'renewed']);
  });

  it('can be newer in the file than in the settings of a process that starts', async () => {
    const role = await newRole('other');
    await writeFile(file, urlFor(role, 'other'));
    const late = { database: urlFor(role, 'former'), postgresql: { urlFile: file }, clock: new FakeClock() };
    store = await openServerStore(late);
    await store.accessTokens.insert(makeToken());
  });
});

describe('the role of the database', () => {
  it('changes without a refused request, and no connection of the former one is left, the one that listens included', async () => {
    const [first, second] = [await newRole('a'), await newRole('b')];
    // Without a password the connection that listens has the login of the others.
    const listen = urlFor(first, '');
    const { store, events } = await opened(urlFor(first, 'a'), { listen: listen.replace(':@', '@') });
    const requests = load(store);
    await requests.goesOn();
    const lock = await openTransaction(database, 'lock table audit_event in access exclusive mode');
    const list = store.auditEvents.list({ limit: 1 });
    await until(
      () => admin(`select 1 from pg_locks where not granted and relation = 'audit_event'::regclass`),
      (waiting) => waiting.length > 0,
    );
    await writeFile(file, urlFor(second, 'b'));
    await store.readLoginAgain?.();
    await lock[Symbol.asyncDispose]();
    await list;
    await until(
      () => connectionsOf(first),
      (open) => open === 0,
    );
    await until(
      () => admin(`select 1 from pg_stat_activity where usename = $1 and query like 'listen %'`, [second]),
      (listening) => listening.length === 1,
    );
    await admin(`alter role ${first} password 'changed at leisure'`);
    await requests.goesOn();
    assert.deepEqual(await requests.end(), { refused: 0 });
    assert.deepEqual(events, ['renewed']);
  });

  it('is that of a URL for listening with the same role only, and the error says so', async () => {
    const [first, second] = [await newRole('a'), await newRole('b')];
    const listen = urlFor(second, '').replace(':@', '@');
    await assert.rejects(opened(urlFor(first, 'a'), { listen }), (error: Error) => {
      const { message } = error;
      assert.match(message, /^Cannot use the database of databaseListen, .*asks for a password/);
      assert.ok(
        message.includes(`names the role "${second}"`) && message.includes(`Name "${first}"`),
        message,
      );
      return true;
    });
  });

  for (const [end, statement] of [
    ['has expired', (role: string) => `alter role ${role} valid until '2020-01-01'`],
    ['may not log in any more', (role: string) => `alter role ${role} nologin`],
  ] as const) {
    it(`is read from the file again when it ${end}`, async () => {
      const [first, second] = [await newRole('a'), await newRole('b')];
      const { store, events } = await opened(urlFor(first, 'a'));
      await writeFile(file, urlFor(second, 'b'));
      await admin(statement(first));
      await cutOff(first);
      await store.refreshRegistry().catch(() => {});
      await store.accessTokens.insert(makeToken());
      assert.deepEqual(events, ['renewed']);
    });
  }
});
