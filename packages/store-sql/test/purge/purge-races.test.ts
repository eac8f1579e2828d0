import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engine } from '@watchword/server-testkit/servers/engine';
import type { Kysely, KyselyPlugin } from 'kysely';
import { deleteExpiredGrants, deleteExpiredUnderGrants } from '../../src/purge/expired.ts';
import { underGrants } from '../../src/purge/lag.ts';
import type { Schema } from '../../src/schema/schema.ts';
import { connectKysely } from '../support/connect-kysely.ts';
import { insertSql } from '../support/insert-sql.ts';
import { testDatabase } from '../support/test-database.ts';

const now = 1000;
const bytes = (hex: string) => (engine === 'sqlite' ? `x'${hex}'` : `'\\x${hex}'::bytea`);
const options = { expiredBefore: now, deletedBefore: 0, batchSize: 10 };

/** Makes a change when the rows to remove were read, and are not removed yet. */
function afterSelection(change: () => Promise<unknown>): KyselyPlugin {
  let isMade = false;
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const isSelection = result.rows.some((row) => 'id' in row);
      if (isSelection && !isMade) {
        isMade = true;
        await change();
      }
      return result;
    },
  };
}

describe('a row whose expiry is changed after the purge has read it', () => {
  const removals = [
    ...underGrants.map(
      (table) => [table, (db: Kysely<Schema>) => deleteExpiredUnderGrants(db, table, options)] as const,
    ),
    ['authorization_grant', (db: Kysely<Schema>) => deleteExpiredGrants(db, options)] as const,
  ];
  for (const [table, remove] of removals) {
    for (const [what, expires] of [
      ['expires later', now + 1],
      ['does not expire', 0],
    ] as const) {
      it(`stays in ${table} if it ${what} now, and other rows do not`, async () => {
        await using database = await testDatabase();
        // A copy of a migrated database.
        await (await database.openServer()).close();
        await using connection = await connectKysely(database);
        for (const id of [1, 2])
          await database.sql(
            await insertSql(database, table, { id: bytes(`0${id}`), expires: `${now - id}` }),
          );
        const change = () =>
          database.sql(`update ${table} set expires = ${expires} where id = ${bytes('01')}`);
        assert.equal(await remove(connection.db.withPlugin(afterSelection(change))), 1);
        const left = await database.sql(`select expires from ${table}`);
        assert.deepEqual(
          left.map((row) => Number(row.expires)),
          [expires],
        );
      });
    }
  }
});
