import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addResourceServer, FakeClock, tokenFactory } from '@watchword/testkit';
import { type PostgresqlDatabase, postgresqlServer, query } from '@watchword/testkit/postgresql';
import { commit } from '../../src/dialects/postgresql/connection/session.ts';
import { DatabaseOpenError, openServerStore } from '../../src/index.ts';
import { hasPgbouncer, type Pgbouncer, startPgbouncer } from './support/pgbouncer.ts';
import { withPool } from './support/pool.ts';

const clock = new FakeClock();
const skip = hasPgbouncer ? false : 'PgBouncer is not installed (Debian package pgbouncer)';

describe('behind PgBouncer in transaction mode', { skip }, () => {
  let database: PostgresqlDatabase;
  let pooler: Pgbouncer;
  let url: string;
  before(async () => {
    const server = await postgresqlServer();
    database = await server.createDatabase();
    pooler = await startPgbouncer(database.url, 2);
    url = pooler.url(database.url);
  });
  after(async () => {
    await pooler[Symbol.asyncDispose]();
    await database.drop();
  });

  it('the store works, with more connections than the server has', async () => {
    const store = await openServerStore({
      database: url,
      clock,
      postgresql: { preparedStatements: false, connections: 6, otherConnections: 6 },
    });
    try {
      await addResourceServer(store);
      const tokens = Array.from({ length: 200 }, tokenFactory());
      await Promise.all(tokens.map((token) => store.accessTokens.insert(token)));
      const found = await Promise.all(tokens.map(({ id }) => store.accessTokens.find(id)));
      assert.ok(found.every((token) => token !== undefined));
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          store.transact(({ accounts }) => accounts.find(`user-${index}`)),
        ),
      );
      assert.deepEqual(await store.readSnapshot(({ clients }) => clients.list({ limit: 9 })), []);
    } finally {
      await store.close();
    }
  });

  it('no setting stays in a connection of the server', async () => {
    await using single = await startPgbouncer(database.url, 1);
    const text = `select current_setting('statement_timeout') as value`;
    await withPool(
      single.url(database.url),
      { preparedStatements: false, statementTimeout: 4321 },
      async (pool) => {
        await pool.use(async (session) => {
          const shown = { text, values: [] };
          const results = await session.pipeline([...session.begin(), shown, commit]);
          assert.deepEqual(results.at(-2)?.rows, [['4321ms']]);
          const [alone] = await session.pipeline([shown]);
          assert.deepEqual(alone?.rows, [['4321ms']]);
        });
        assert.deepEqual(await query(single.url(database.url), text), [{ value: '0' }]);
      },
    );
  });

  it('a server that prepares statements is told not to', async () => {
    // Its second connection gets the connection to the server on which the first one has prepared.
    await using single = await startPgbouncer(database.url, 1);
    await assert.rejects(
      openServerStore({ database: single.url(database.url), clock }),
      (error) => error instanceof DatabaseOpenError && /preparedStatements to false/.test(error.message),
    );
  });
});
