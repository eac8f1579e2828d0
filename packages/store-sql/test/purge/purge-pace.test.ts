import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { identityOf } from '@watchword/protocol';
import { tableNames } from '@watchword/server-testkit/servers/sql';
import {
  addClient,
  addResourceServer,
  grantFactory,
  sessionFactory,
  slowTest,
  tokenFactory,
} from '@watchword/testkit';
import type { Store } from '../../src/index.ts';
import { inBatches } from '../../src/purge/batches.ts';
import { type TestDatabase, testDatabase } from '../support/test-database.ts';

const many = 7;
const batchSize = 3;
const hour = 3_600_000;

function times<Value>(make: (index: number) => Promise<Value>): Promise<Value[]> {
  return Promise.all(Array.from({ length: many }, (_, index) => make(index)));
}

/** Many invalid rows in every table from which the purge removes more than one row at a time. */
async function fillWithInvalid(store: Store, now: number): Promise<void> {
  const [token, session, make] = [tokenFactory(), sessionFactory(), grantFactory()];
  const deleted = await addResourceServer(store, 'deleted');
  await times((index) => addClient(store, `deleted-${index}`, deleted));
  const servers = await times((index) => addResourceServer(store, `deleted-${index}`));
  for (const { id } of [deleted, ...servers]) await store.resourceServers.delete(id);
  await times(() => store.accessTokens.insert(token({ expires: now - 1 })));
  await times(() => store.loginSessions.insert(session({ expires: now - 1 })));
  const grant = make.grant();
  await store.authorizationCodes.insert(make.code(grant), grant);
  await times(async (index) => {
    const key = {
      owner: identityOf(grant.owner),
      subject: grant.owner.subject,
      clientRecordId: grant.clientRecordId,
      redirectUri: `${index}`,
    };
    await store.consents.save({ key, scopes: ['read'], savedAt: 0 }, grant.id);
    const revoked = make.grant();
    const code = make.code(revoked);
    await store.authorizationCodes.insert(code, revoked);
    await store.authorizationCodes.redeem(code.id, make.tokens(revoked), revoked.creationDate);
    await store.grants.revoke(revoked.id, now);
  });
  await store.statistics.addIssued(
    ['a', 'b', 'c', 'd'].flatMap((grantType) =>
      [1, 2, 3].map((hours) => ({ hour: hours, clientRecordId: servers[0]?.id ?? 0, grantType, tokens: 1 })),
    ),
  );
}

async function countRows(database: TestDatabase): Promise<number> {
  const tables = (await tableNames(database.file)).filter((name) => !/^(?:sqlite|schema)_/.test(name));
  const counts = tables.map((table) => `(select count(*) from "${table}")`);
  const [row] = await database.sql(`select ${counts.join(' + ')} as rows`);
  return Number(row?.rows);
}

describe('the pace of the purge', () => {
  it('is kept after each batch of every kind', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const now = database.clock.now();
    await fillWithInvalid(store, now);
    const all = await countRows(database);
    let last = all;
    const report = await store.purge({
      expiredBefore: now,
      deletedBefore: now + hour,
      countedBefore: 99 * hour,
      batchSize,
      pace: {
        batchTime: 1,
        async rest() {
          const left = await countRows(database);
          assert.ok(last - left <= batchSize, `${last - left} rows at once`);
          last = left;
        },
      },
    });
    const total = Object.values(report).reduce((sum, rows) => sum + rows, 0);
    assert.equal(await countRows(database), all - total);
    for (const kind of ['expiredTokens', 'revokedTokens', 'refreshTokens', 'grants', 'clients'] as const) {
      assert.ok(report[kind] >= many, `${kind}: ${report[kind]}`);
    }
    assert.ok(report.resourceServers > many && report.issuedCounts >= 12 && report.loginSessions === many);
  });

  slowTest('permits other writes while it rests', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const now = database.clock.now();
    await fillWithInvalid(store, now);
    const make = tokenFactory('other');
    await store.purge({
      expiredBefore: now,
      deletedBefore: now + hour,
      countedBefore: 99 * hour,
      batchSize,
      pace: {
        batchTime: 1,
        async rest(worked) {
          assert.ok(worked >= 0);
          await store.accessTokens.insert(make());
          // Another process can write, too.
          await database.sql('update lease set holder = holder');
        },
      },
    });
  });

  it('makes batches as small as their time requires, and as large as it permits', async () => {
    // The connection needs a millisecond for ten rows, and later for a hundred.
    let [worked, perRow] = [0, 0.1];
    const sizes: number[] = [];
    const options = {
      expiredBefore: 0,
      deletedBefore: 0,
      batchSize: 300,
      pace: { batchTime: 4, rest: async () => {} },
      worked: () => worked,
      committed: () => 0,
    };
    await inBatches(options, async (batch) => {
      sizes.push(batch.batchSize);
      if (sizes.length === 4) perRow = 0.01;
      worked += batch.batchSize * perRow;
      return sizes.length === 9 ? 0 : batch.batchSize;
    });
    assert.deepEqual(sizes, [10, 20, 40, 40, 80, 160, 300, 300, 300]);
    const slow = { ...options, pace: { ...options.pace, batchTime: 0.001 } };
    const few: number[] = [];
    await inBatches(slow, async ({ batchSize: size }) => {
      few.push(size);
      worked += 5;
      return few.length === 3 ? 0 : size;
    });
    assert.deepEqual(few, [10, 10, 10]);
  });
});
