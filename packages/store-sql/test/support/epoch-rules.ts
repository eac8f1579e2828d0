import assert from 'node:assert/strict';
import { it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import {
  type CopyDatabase,
  copyMigrated,
  databaseTemplate,
} from '@watchword/server-testkit/servers/database-template';
import { databaseFor, dropDatabases, type Engine } from '@watchword/server-testkit/servers/engine';
import { addClient, addResourceServer, buildSigningKey, FakeClock, tokenFactory } from '@watchword/testkit';
import { postgresqlServer, query } from '@watchword/testkit/postgresql';
import { DatabaseOpenError, openServerStore, openStore, type Store } from '../../src/index.ts';

interface MadeDatabase extends AsyncDisposable {
  readonly database: string;
  readonly clock: FakeClock;
}

/** Makes a copy of a database on one of the kinds of database. */
type MakeDatabase = (copy: CopyDatabase) => Promise<MadeDatabase>;

const madeOn =
  (engine: Engine): MakeDatabase =>
  async (copy) => {
    const directory = await temporaryDirectory();
    const file = directory.file('epoch.db');
    await copy(file, engine);
    return {
      database: await databaseFor(file, engine),
      clock: new FakeClock(),
      async [Symbol.asyncDispose]() {
        await dropDatabases(directory.path);
        await directory[Symbol.asyncDispose]();
      },
    };
  };

export const onSqlite = madeOn('sqlite');
export const onPostgresql = madeOn('postgresql');

/** For a role that cannot empty a table at once. */
export const withoutTruncate: MakeDatabase = async (copy) => {
  const made = await onPostgresql(copy);
  const role = `role_${new URL(made.database).pathname.slice(1)}`;
  await query(made.database, `create role ${role} login password 'x'`);
  await query(
    made.database,
    `grant select, insert, update, delete on all tables in schema public to ${role}`,
  );
  return {
    database: made.database.replace(/\/\/[^@]*@/, `//${role}:x@`),
    clock: made.clock,
    async [Symbol.asyncDispose]() {
      await made[Symbol.asyncDispose]();
      await query((await postgresqlServer()).url(), `drop role ${role}`);
    },
  };
};

const day = 86_400_000;

const [older, younger] = [50, 1050];

/** More tokens than one part of the work has, of which some are a day older. */
const copyWithTokens = databaseTemplate('epoch', async (store) => {
  const now = new FakeClock().now();
  const client = await addClient(store, 'client', await addResourceServer(store));
  const make = tokenFactory();
  const tokens = Array.from({ length: older + younger }, (_, number) =>
    make({ clientRecordId: client.id, creationDate: now - (number < older ? day : 0) }),
  );
  for (let first = 0; first < tokens.length; first += 100)
    await Promise.all(tokens.slice(first, first + 100).map((token) => store.accessTokens.insert(token)));
});

const left = async ({ accessTokens }: Store) => (await accessTokens.scan({ of: 'all', limit: 5000 })).length;

const ends = [
  ['all tokens', () => 0, older + younger],
  ['the tokens issued at a time or later', (now: number) => now, younger],
  ['no token', () => undefined, 0],
] as const;

/** The tokens that an epoch ends. @param count of the ends; only the first one empties a table */
export function epochEndsTokens(make: MakeDatabase, count: number = ends.length): void {
  for (const [what, endsFrom, ended] of ends.slice(0, count)) {
    it(`ends ${what}, also more than a part of the work has`, async () => {
      await using made = await make(copyWithTokens);
      const store = await openStore(made);
      const now = made.clock.now();
      const report = await store.beginEpoch({ now, endIssuedFrom: endsFrom(now) });
      assert.equal(report.accessTokens, ended);
      assert.equal(await left(store), older + younger - ended);
      // A repetition after an interruption finds nothing left.
      assert.equal((await store.beginEpoch({ now, endIssuedFrom: endsFrom(now) })).accessTokens, 0);
      await store.close();
    });
  }
}

/** Everything else that an epoch does. */
export function epochBegins(make: MakeDatabase): void {
  it('continues revisions and ids above the seconds of the clock, and ends keys of forms', async () => {
    await using made = await make(copyMigrated);
    const store = await openStore(made);
    await store.sealingKeys.rotate({ id: 'old', key: Buffer.alloc(32), creationDate: 1 }, 0);
    await store.beginEpoch({ now: made.clock.now(), endIssuedFrom: 0 });
    assert.deepEqual(await store.sealingKeys.list(), []);
    const { id, revision } = await addResourceServer(store);
    const seconds = Math.floor(made.clock.now() / 1000);
    assert.ok(id > seconds && revision > seconds);
    await store.close();
  });

  for (const [what, endIssuedFrom, compromised] of [
    ['and none verifies, when all tokens end', 0, [77, true]],
    ['and none verifies, when tokens end that were issued at a time or later', 1, [77, true]],
    [
      'and those that sign verify until the last token has expired, when tokens stay',
      undefined,
      [77, undefined],
    ],
  ] as const) {
    it(`retires all signing keys and erases their private halves, ${what}`, async () => {
      await using made = await make(copyMigrated);
      const store = await openStore(made);
      const now = made.clock.now();
      await store.transact(async ({ signingKeys }) => {
        await signingKeys.insert(buildSigningKey('a', { retiredAt: 5, signsFrom: 4, compromisedAt: 77 }));
        await signingKeys.insert(buildSigningKey('b', { retiredAt: now + 9, signsFrom: 3 }));
        await signingKeys.insert(buildSigningKey('c', { privateKey: { reference: 'c' }, signsFrom: 2 }));
      });
      await store.beginEpoch({ now, endIssuedFrom });
      const [first, ...others] = await store.signingKeys.list();
      assert.deepEqual([first?.retiredAt, first?.compromisedAt], [5, compromised[0]]);
      for (const key of others) {
        assert.equal(key.retiredAt, now);
        assert.equal(key.compromisedAt, compromised[1] && now);
        assert.equal(key.privateKey, undefined);
      }
      await store.close();
    });
  }

  it('ends the trust in browsers, and no other factor', async () => {
    await using made = await make(copyMigrated);
    const store = await openStore(made);
    const of = { subject: 's', owner: { identityProvider: 'password', name: 'emma' }, name: '', data: '{}' };
    const times = { creationDate: 1, lastUsed: 0, counter: 0 };
    for (const kind of ['totp', 'passkey', 'recovery_code', 'trusted_browser'] as const) {
      const handle = kind === 'passkey' ? { handle: 'h' } : {};
      assert.ok(await store.credentials.create({ ...of, ...times, ...handle, id: kind, kind }, 1));
    }
    await store.beginEpoch({ now: made.clock.now(), endIssuedFrom: undefined });
    const left = await store.credentials.listBySubject('s');
    assert.deepEqual(left.map(({ kind }) => kind).toSorted(), ['passkey', 'recovery_code', 'totp']);
    await store.close();
  });

  it('does not begin while a server has the database open', async () => {
    await using made = await make(copyMigrated);
    const server = await openServerStore(made);
    const store = await openStore(made);
    const work = () => assert.fail('the work began');
    await assert.rejects(store.withoutServers(work), DatabaseOpenError);
    await server.close();
    assert.equal(await store.withoutServers(async () => 'done'), 'done');
    await store.close();
  });
}
