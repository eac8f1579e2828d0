import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { StoreUnavailableError, UnstorableTextError } from '@watchword/protocol';
import { type PostgresqlDatabase, postgresqlServer, query } from '@watchword/testkit/postgresql';
import { tcpProxy } from '@watchword/testkit/tcp-proxy';
import { PostgresqlError } from '../../src/dialects/postgresql/connection/postgresql-error.ts';
import { commit, type Session } from '../../src/dialects/postgresql/connection/session.ts';
import { withPool } from './support/pool.ts';

let database: PostgresqlDatabase;
before(async () => {
  database = await (await postgresqlServer()).createDatabase();
  await query(database.url, 'create table t (id bigint primary key, b bytea, s text)');
  await query(database.url, 'insert into t values (0)');
});
after(() => database.drop());

const insert = (id: number, text = 'x') => ({
  name: 'insert_t',
  text: 'insert into t (id, s) values ($1, $2)',
  values: [id, text],
});
const select = (id: number) => ({
  name: 'select_t',
  text: 'select id, b, s from t where id = $1',
  values: [id],
});
const numberOf = async (id: number) =>
  (await query(database.url, 'select 1 from t where id = $1', [id])).length;

async function sqlStateOf(work: Promise<unknown>): Promise<string | undefined> {
  const error = await work.then(
    () => assert.fail('it succeeded'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof PostgresqlError, String(error));
  return error.code;
}

describe('a session of PostgreSQL', () => {
  for (const preparedStatements of [true, false]) {
    const how = preparedStatements ? 'prepared' : 'unprepared';

    it(`answers a pipeline in order, with ${how} statements`, () =>
      withPool(database.url, { preparedStatements }, (pool) =>
        pool.use(async (session) => {
          for (const id of preparedStatements ? [1, 2] : [3, 4]) {
            const results = await session.pipeline([
              ...session.begin(),
              insert(id),
              select(id),
              select(99),
              commit,
            ]);
            const [inserted, found, missing, committed] = results.slice(-4);
            assert.deepEqual([inserted?.command, inserted?.changes], ['INSERT', 1]);
            assert.deepEqual(found?.columns, ['id', 'b', 's']);
            assert.deepEqual(found?.rows, [[id, null, 'x']]);
            assert.deepEqual(missing?.rows, []);
            assert.equal(committed?.command, 'COMMIT');
          }
        }),
      ));

    it(`runs nothing behind an error and works on, with ${how} statements`, () =>
      withPool(database.url, { preparedStatements }, async (pool) => {
        await pool.use(async (session) => {
          const id = preparedStatements ? 10 : 11;
          const failing = session.pipeline([...session.begin(), insert(id), insert(id), commit]);
          assert.equal(await sqlStateOf(failing), '23505');
          // The transaction goes on failing, with the reason of the first error.
          assert.equal(await sqlStateOf(session.pipeline([select(0)])), '23505');
        });
        await pool.use(async (session) => {
          // The statements were first prepared in the pipelines that failed.
          const [result] = await session.pipeline([select(0)]);
          assert.equal(result?.rows.length, 1);
          await session.pipeline([insert(preparedStatements ? 12 : 13)]);
        });
        assert.equal(await numberOf(preparedStatements ? 10 : 11), 0);
      }));
  }

  it('prepares a statement again that failed when it was first prepared', () =>
    withPool(database.url, {}, (pool) =>
      pool.use(async (session) => {
        const division = (by: number) => ({ name: 'division', text: 'select 6 / $1::bigint', values: [by] });
        assert.equal(await sqlStateOf(session.pipeline([division(0)])), '22012');
        const [found] = await session.pipeline([division(2)]);
        assert.deepEqual(found?.rows, [[3]]);
      }),
    ));

  it('is one transaction for a pipeline without begin', () =>
    withPool(database.url, {}, async (pool) => {
      await assert.rejects(pool.use((session) => session.pipeline([insert(20), insert(20)])));
      assert.equal(await numberOf(20), 0);
    }));

  it('returns bytes as they were sent, alone and in arrays', () =>
    withPool(database.url, {}, (pool) =>
      pool.use(async (session) => {
        const bytes = [Buffer.from([0, 92, 120, 255]), Buffer.alloc(0), null];
        const [found] = await session.pipeline([
          {
            text: 'select b, t, n, $4::bytea from unnest($1::bytea[], $2::text[], $3::bigint[]) as v(b, t, n)',
            values: [bytes, ['{"a", \\ ü}', '', null], [1, null, 2 ** 53 - 1], new Uint8Array([7])],
          },
        ]);
        assert.deepEqual(found?.rows, [
          [bytes[0], '{"a", \\ ü}', 1, Buffer.from([7])],
          [bytes[1], '', null, Buffer.from([7])],
          [null, null, 2 ** 53 - 1, Buffer.from([7])],
        ]);
      }),
    ));

  it('rejects a number that JavaScript does not represent, and works on', () =>
    withPool(database.url, {}, (pool) =>
      pool.use(async (session) => {
        const unsafe = session.pipeline([{ text: 'select 9007199254740993::bigint', values: [] }]);
        await assert.rejects(unsafe, RangeError);
        const [sum] = await session.pipeline([
          { text: 'select sum(n) from generate_series(1, 3) as n', values: [] },
        ]);
        assert.deepEqual(sum?.rows, [[6]]);
      }),
    ));

  it('rejects text with U+0000 before anything is sent, also in arrays', () =>
    withPool(database.url, {}, (pool) =>
      pool.use(async (session) => {
        await session.pipeline([...session.begin(), insert(30)]);
        await assert.rejects(session.pipeline([insert(31, 'a\0b')]), UnstorableTextError);
        await assert.rejects(
          session.pipeline([{ text: 'select $1::text[]', values: [['a\0b']] }]),
          /U\+0000/,
        );
        await session.pipeline([commit]);
        assert.equal(await numberOf(30), 1);
      }),
    ));

  it('ends a transaction that its user left open', () =>
    withPool(database.url, { size: 1 }, async (pool) => {
      await pool.use((session) => session.pipeline([...session.begin(), insert(40)]));
      const [found] = await pool.use((session) => session.pipeline([select(40)]));
      assert.deepEqual(found?.rows, []);
    }));

  it('sees one snapshot in a read-only transaction', () =>
    withPool(database.url, {}, (pool) =>
      pool.use(async (session) => {
        await session.pipeline([...session.begin('read only'), select(50)]);
        await query(database.url, 'insert into t (id) values (50)');
        const [found] = await session.pipeline([select(50)]);
        assert.deepEqual(found?.rows, []);
        assert.equal(await sqlStateOf(session.pipeline([insert(51)])), '25006');
      }),
    ));
});

describe('the limits of a session', () => {
  let own: PostgresqlDatabase;
  before(async () => {
    own = await (await postgresqlServer()).createDatabase();
  });
  after(() => own.drop());

  for (const preparedStatements of [true, false]) {
    const where = preparedStatements ? 'the session' : 'each transaction, for a pooler';

    it(`are set in ${where}, and a commit is durable whatever the user has set`, async () => {
      await query(own.url, `alter database ${own.name} set synchronous_commit = off`);
      await withPool(own.url, { preparedStatements, statementTimeout: 1234, lockTimeout: 567 }, (pool) =>
        pool.use(async (session) => {
          assert.deepEqual(await settingsIn(session), ['1234ms', '567ms', 'on']);
          const [alone] = await session.pipeline([settings]);
          assert.deepEqual(alone?.rows, [['1234ms', '567ms', 'on']]);
        }),
      );
    });
  }

  it('end what is sent without a transaction behind a pooler too', () =>
    withPool(database.url, { preparedStatements: false, statementTimeout: 200 }, async (pool) => {
      const slow = pool.use((session) => session.pipeline([{ text: 'select pg_sleep(20)', values: [] }]));
      await assert.rejects(slow, /57014/);
    }));

  it('leave a stricter choice of the operator', async () => {
    await query(own.url, `alter database ${own.name} set synchronous_commit = remote_apply`);
    await withPool(own.url, {}, (pool) =>
      pool.use(async (session) => assert.equal((await settingsIn(session))[2], 'remote_apply')),
    );
  });

  it('end a statement and a wait for a lock, as unavailability', () =>
    withPool(database.url, { statementTimeout: 200, lockTimeout: 50 }, async (pool) => {
      const slow = pool.use((session) => session.pipeline([{ text: 'select pg_sleep(20)', values: [] }]));
      await assert.rejects(
        slow,
        (error) => error instanceof StoreUnavailableError && /57014/.test(error.message),
      );
      await pool.use(async (session) => {
        await session.pipeline([...session.begin(), { text: 'lock table t', values: [] }]);
        const waiting = pool.use((other) => other.pipeline([select(0)]));
        await assert.rejects(
          waiting,
          (error) => error instanceof StoreUnavailableError && /55P03/.test(error.message),
        );
      });
    }));
});

const settings = {
  text: `select current_setting('statement_timeout'), current_setting('lock_timeout'), current_setting('synchronous_commit')`,
  values: [],
};

async function settingsIn(session: Session): Promise<unknown[]> {
  const results = await session.pipeline([...session.begin(), settings, commit]);
  return [...(results.at(-2)?.rows[0] ?? [])];
}

describe('a connection that is lost', () => {
  it('does not acknowledge a commit whose answer is missing, and is replaced', async () => {
    const { hostname, port } = new URL(database.url);
    await using proxy = await tcpProxy({ host: hostname, port: Number(port) });
    await withPool(proxy.url(database.url), {}, async (pool) => {
      await pool.use((session) => session.pipeline([select(0)]));
      proxy.hold('answers');
      const commits = pool.use((session) => session.pipeline([...session.begin(), insert(60), commit]));
      const rejected = assert.rejects(
        commits,
        (error) =>
          error instanceof StoreUnavailableError &&
          /not acknowledged/.test(error.message) &&
          error.cause instanceof PostgresqlError &&
          error.cause.isLost,
      );
      await proxy.held('answers');
      proxy.cut();
      await rejected;
      proxy.release();
      // It was committed: only the answer was lost.
      assert.equal(await numberOf(60), 1);
      const [found] = await pool.use((session) => session.pipeline([select(60)]));
      assert.equal(found?.rows.length, 1);
    });
  });

  it('is replaced when the server ends it while nothing is asked', () =>
    withPool(database.url, { size: 1 }, async (pool) => {
      const pid = async () => {
        const [found] = await pool.use((session) =>
          session.pipeline([{ text: 'select pg_backend_pid()', values: [] }]),
        );
        return Number(found?.rows[0]?.[0]);
      };
      const first = await pid();
      await query(database.url, 'select pg_terminate_backend($1, 5000)', [first]);
      let second = first;
      while (second === first) second = await pid().catch(() => first);
      assert.notEqual(second, first);
    }));
});
