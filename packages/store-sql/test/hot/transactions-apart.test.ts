import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { newResourceServer, tokenFactory } from '@watchword/testkit';
import { Kysely } from 'kysely';
import { sqliteDialect } from '../../src/dialects/sqlite/dialect.ts';
import { sqliteHotWork } from '../../src/dialects/sqlite/hot-work.ts';
import { SqliteWriter } from '../../src/dialects/sqlite/threads/writer.ts';
import { hotAccessTokens } from '../../src/grants/access-tokens.ts';
import { noSegments } from '../../src/grants/token-segments.ts';
import type { Command, CommandResult } from '../../src/hot/command.ts';
import { GroupCommit } from '../../src/hot/group-commit.ts';
import { hotAccess } from '../../src/hot/hot-access.ts';
import { migrateSqlite } from '../../src/index.ts';
import { resourceServerColumns } from '../../src/records/record-columns.ts';
import type { Schema } from '../../src/schema/schema.ts';
import { type TestDatabase, testDatabase } from '../support/test-database.ts';

const only = onlyOn('sqlite', 'one connection that writes');

async function parts({ file }: TestDatabase) {
  await migrateSqlite(file, 'all');
  const commits: number[] = [];
  const writer = await SqliteWriter.open({ file, busyTimeout: 1000 }, (size) => commits.push(size));
  const db = new Kysely<Schema>({ dialect: sqliteDialect(writer) });
  const reader = new DatabaseSync(file, { readOnly: true });
  const writes = new GroupCommit<Command, CommandResult>({
    commit: (commands) => writer.commit(commands),
    chunkSize: 64,
    underWay: 1,
    maxPending: 1000,
    timeout: 10_000,
  });
  const accessTokens = hotAccessTokens(hotAccess(sqliteHotWork(writer, reader), writes), noSegments);
  const close = async () => {
    reader.close();
    await writer.close();
  };
  return { db, accessTokens, commits, [Symbol.asyncDispose]: close };
}

const row = {
  ...resourceServerColumns(newResourceServer(), 'api', 1),
  id: 1,
  creation_date: 0,
  deleted_at: null,
};

describe('token inserts beside an open transaction', only, () => {
  for (const [end, rollBack] of [
    ['is rolled back', true],
    ['is committed', false],
  ] as const) {
    it(`wait for its end and are committed when it ${end}`, async () => {
      await using database = await testDatabase();
      await using store = await parts(database);
      const make = tokenFactory();
      const tokens = [make(), make(), make()];
      let inserted = false;
      let inserts: Promise<unknown> = Promise.resolve();
      const transaction = store.db.transaction().execute(async (open) => {
        await open.insertInto('resource_server').values(row).execute();
        inserts = Promise.all(tokens.map((token) => store.accessTokens.insert(token))).then(() => {
          inserted = true;
        });
        // The thread answers in order, so it has received the inserts before these.
        for (let query = 0; query < 5; query += 1) {
          await new Promise(setImmediate);
          await open.selectFrom('resource_server').select('id').execute();
        }
        assert.ok(!inserted);
        assert.deepEqual(store.commits, []);
        if (rollBack) throw new Error('rolled back');
      });
      if (rollBack) await assert.rejects(transaction, /^Error: rolled back$/);
      else await transaction;
      await inserts;
      for (const { id } of tokens) assert.notEqual(await store.accessTokens.find(id), undefined);
      const servers = await store.db.selectFrom('resource_server').select('server_key').execute();
      assert.equal(servers.length, rollBack ? 0 : 1);
      assert.deepEqual(store.commits, [3]);
    });
  }

  it('a query of another caller is not part of it either', async () => {
    await using database = await testDatabase();
    await using store = await parts(database);
    let other: Promise<unknown> = Promise.resolve();
    const transaction = store.db.transaction().execute(async (open) => {
      await open.insertInto('resource_server').values(row).execute();
      other = store.db
        .insertInto('resource_server')
        .values({ ...row, id: 2, server_key: 'other', server_name: 'Other' })
        .execute();
      await new Promise(setImmediate);
      throw new Error('rolled back');
    });
    await assert.rejects(transaction, /rolled back/);
    await other;
    const servers = await store.db.selectFrom('resource_server').select('server_key').execute();
    assert.deepEqual(servers, [{ server_key: 'other' }]);
  });
});

describe('an insert that fails', only, () => {
  it('fails alone, in any commit with others', async () => {
    await using database = await testDatabase();
    await using store = await parts(database);
    const make = tokenFactory();
    const [first, twice] = [make(), make()];
    await store.accessTokens.insert(twice);
    const outcomes = await Promise.allSettled(
      [first, twice].map((token) => store.accessTokens.insert(token)),
    );
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    );
    assert.notEqual(await store.accessTokens.find(first.id), undefined);
  });
});
