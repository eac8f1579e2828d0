import assert from 'node:assert/strict';
import { it } from 'node:test';
import { postgresqlServer } from '@watchword/testkit/postgresql';
import { Kysely, sql } from 'kysely';
import { postgresqlDialect } from '../../src/dialects/postgresql/dialect.ts';
import type { Schema } from '../../src/schema/schema.ts';
import { withPool } from './support/pool.ts';

it('waits for the disk at every commit, but not for a statement that may be lost', async () => {
  await using database = await (await postgresqlServer()).createDatabase();
  await withPool(database.url, { size: 1 }, async (pool) => {
    const over = (mayBeLost: boolean) =>
      new Kysely<Schema>({ dialect: postgresqlDialect(pool, { mayBeLost }) });
    const setting = async (db: Kysely<Schema>) => {
      const found = sql<{ commit: string }>`select current_setting('synchronous_commit') as commit`;
      return (await found.execute(db)).rows[0]?.commit;
    };
    const [removals, others] = [over(true), over(false)];
    assert.equal(await setting(removals), 'off');
    assert.equal(await setting(others), 'on');
    await assert.rejects(sql`delete from nothing`.execute(removals));
    assert.equal(await setting(others), 'on');
    assert.equal(await removals.transaction().execute(setting), 'on');
  });
});
