import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { identityOf } from '@watchword/protocol';
import { addClient, addResourceServer, grantFactory, sessionFactory, tokenFactory } from '@watchword/testkit';
import type { Store } from '../src/index.ts';
import { tablesOf } from './support/fill-tables.ts';
import { testDatabase } from './support/test-database.ts';

const many = 10;
const batchSize = 3;
const hour = 3_600_000;

function times<Value>(make: (index: number) => Promise<Value>): Promise<Value[]> {
  return Promise.all(Array.from({ length: many }, (_, index) => make(index)));
}

/** Many dead rows in every table that the purge removes more of than one at a time. */
async function fillWithDead(store: Store, now: number): Promise<void> {
  const [token, session, make] = [tokenFactory(), sessionFactory(), grantFactory()];
  const dead = await addResourceServer(store, 'dead');
  await times((index) => addClient(store, `dead-${index}`, dead));
  const servers = await times((index) => addResourceServer(store, `dead-${index}`));
  for (const { id } of [dead, ...servers]) await store.resourceServers.delete(id);
  await times(() => store.accessTokens.insert(token({ expires: now - 1 })));
  await times(() => store.loginSessions.insert(session({ expires: now - 1 })));
  const grant = make.grant();
  await store.authorizationCodes.insert(make.code(grant), grant);
  await times(async (index) => {
    const key = {
      owner: identityOf(grant.owner),
      clientRecordId: grant.clientRecordId,
      redirectUri: `${index}`,
    };
    await store.consents.save(key, ['read'], 0);
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

function countRows(db: DatabaseSync, tables: readonly string[]): number {
  return tables.reduce((sum, table) => {
    const { rows } = db.prepare(`select count(*) as rows from "${table}"`).get() ?? {};
    return sum + Number(rows);
  }, 0);
}

describe('the pace of the reaper', () => {
  it('is given no more than a batch at a time, of whatever is removed', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const now = database.clock.now();
    await fillWithDead(store, now);
    const db = database.connect();
    const tables = tablesOf(database.file);
    const all = countRows(db, tables);
    let batches = 0;
    const report = await store.reap({
      expiredBefore: now,
      deletedBefore: now + hour,
      countedBefore: 99 * hour,
      batchSize,
      async pace(batch) {
        batches += 1;
        const before = countRows(db, tables);
        const value = await batch();
        const removed = before - countRows(db, tables);
        assert.ok(removed <= batchSize, `${removed} rows at once`);
        return value;
      },
    });
    const total = Object.values(report).reduce((sum, rows) => sum + rows, 0);
    assert.equal(countRows(db, tables), all - total);
    assert.ok(batches >= total / batchSize);
    for (const kind of ['expiredTokens', 'revokedTokens', 'refreshTokens', 'grants', 'clients'] as const) {
      assert.ok(report[kind] >= many, `${kind}: ${report[kind]}`);
    }
    assert.ok(report.resourceServers > many && report.issuedCounts >= 12 && report.loginSessions === many);
  });

  it('lets others write while it rests', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const now = database.clock.now();
    await fillWithDead(store, now);
    const make = tokenFactory('other');
    const other = database.connect();
    await store.reap({
      expiredBefore: now,
      deletedBefore: now + hour,
      countedBefore: 99 * hour,
      batchSize,
      async pace(batch) {
        const value = await batch();
        await store.accessTokens.insert(make());
        other.exec('begin immediate; rollback');
        return value;
      },
    });
  });
});
