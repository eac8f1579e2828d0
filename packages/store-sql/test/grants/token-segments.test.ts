import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addClient, addResourceServer, rounds, tokenFactory, variants } from '@watchword/testkit';
import fc from 'fast-check';
import { countedSegments } from '../../src/grants/token-segments.ts';
import { idToBytes } from '../../src/hot/token-id.ts';
import { inParts } from '../../src/queries/in-parts.ts';
import { idsIn } from '../support/rows.ts';
import { sharedDatabase } from '../support/shared-database.ts';
import type { TestDatabase } from '../support/test-database.ts';

const testDatabase = sharedDatabase();

const day = 86_400_000;

describe('the segment of a token', () => {
  it('is that of the day, until it is full, and then begins at the present second', () => {
    const { next } = countedSegments(2);
    const at = (time: number) => next(3 * day + time) - (3 * day) / 1000;
    assert.deepEqual([1000, 2000, 3999, 4000, 5000].map(at), [0, 0, 3, 3, 5]);
  });

  it('is another one on each day', () => {
    const { next } = countedSegments(2);
    const times = [day - 1, day - 1, day - 1, day, day + 1, day + 2000];
    assert.deepEqual(times.map(next), [0, 0, 86_399, 86_400, 86_400, 86_402]);
  });

  it('is the same for processes that store few tokens on a day', () => {
    assert.equal(countedSegments().next(day + 1), countedSegments().next(2 * day - 1));
  });

  it('stays when the clock goes back', () => {
    const { next } = countedSegments(2);
    assert.deepEqual([2 * day, day].map(next), [172_800, 172_800]);
  });
});

/** Stores tokens of a client whose ids are in order, the oldest first, in these segments. @returns their ids */
async function stored(
  { sql }: TestDatabase,
  clientRecordId: number,
  segments: readonly number[],
): Promise<string[]> {
  const make = tokenFactory(`of ${clientRecordId}`);
  const tokens = segments.map((segment, index) => ({
    ...make({ clientRecordId, creationDate: day + index }),
    segment,
  }));
  for (const part of inParts(tokens)) {
    const rows = part.map(({ id, verifierHash, creationDate, segment }) => [
      ...[idToBytes(id), verifierHash, clientRecordId, 'read', 0, creationDate, segment],
    ]);
    await sql(
      `insert into access_token (id, verifier_hash, client_record_id, scopes, expires, creation_date, segment)
        values ${rows.map((row) => `(${row.map(() => '?').join()})`).join()}`,
      ...rows.flat(),
    );
  }
  return tokens.map(({ id }) => id);
}

/** The pages of a list, each of which continues after the last token of the one before. */
async function pages(limit: number, read: (last: string | undefined) => Promise<readonly { id: string }[]>) {
  const found: string[] = [];
  for (;;) {
    const page = (await read(found.at(-1))).map(({ id }) => id);
    found.push(...page);
    if (page.length < limit) return found;
  }
}

const layouts: Readonly<Record<string, (index: number) => number>> = {
  'one segment': () => 5,
  'segments that follow each other': (index) => Math.floor(index / 20),
  'segments that several nodes fill at the same time': (index) => Math.floor(index / 30) * 10 + (index % 3),
  'segments of which one goes on all the time': (index) => (index % 2 === 0 ? 0 : 1 + Math.floor(index / 9)),
  'more segments than a statement can have, which are filled all the time': (index) => (index * 37) % 540,
};

describe('the tokens of a client', () => {
  async function assertListedInOrder(
    segmentOf: (index: number) => number,
    count: number,
    limits: readonly number[],
  ): Promise<void> {
    await using database = await testDatabase();
    const store = await database.openServer();
    const segments = Array.from({ length: count }, (_, index) => segmentOf(index));
    const ids = await stored(database, 1, segments);
    await stored(database, 2, segments);
    const { scan, list } = store.accessTokens;
    for (const limit of limits) {
      const newestFirst = await pages(limit, (last) =>
        scan({ of: 'client', clientRecordId: 1, limit, ...(last && { before: { id: last } }) }),
      );
      assert.deepEqual(newestFirst, ids.toReversed());
      const oldestFirst = await pages(limit, (last) =>
        list({ clientRecordId: 1, limit, ...(last && { after: last }) }),
      );
      assert.deepEqual(oldestFirst, ids);
    }
  }

  for (const [layout, segmentOf] of Object.entries(layouts)) {
    it(`are listed in the order of their ids, each once, if few are in ${layout}`, () =>
      assertListedInOrder(segmentOf, 60, [7, 60, ...variants(0, [1, 59, 100])]));
  }

  // More than a page has. The last layout is the hardest one.
  for (const [layout, segmentOf] of variants(1, Object.entries(layouts).toReversed())) {
    it(`are listed in the order of their ids, each once, if many are in ${layout}`, () =>
      assertListedInOrder(segmentOf, 700, [200, ...variants(0, [700, 699, 2000])]));
  }

  it('are listed in the order of their ids from any segments, pages and cursors', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    let clientRecordId = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 700 }),
        fc.integer({ min: 10, max: 200 }),
        async (segments, limit) => {
          clientRecordId += 1;
          const ids = await stored(database, clientRecordId, segments);
          const found = await pages(limit, (last) =>
            store.accessTokens.scan({
              of: 'client',
              clientRecordId,
              limit,
              ...(last && { before: { id: last } }),
            }),
          );
          assert.deepEqual(found, ids.toReversed());
        },
      ),
      { numRuns: rounds(2, 50) },
    );
  });

  it('are counted among the newest ones of all segments', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const segments = Array.from({ length: 40 }, (_, index) => index % 20);
    const ids = await stored(database, 1, segments);
    for (const id of ids.slice(-5)) {
      await database.sql('update access_token set expires = 1 where id = ?', idToBytes(id));
    }
    const count = (limit: number, tokensValidFrom = 0) =>
      store.statistics.countOf({ id: 1, tokensValidFrom }, 2, limit);
    assert.deepEqual(await count(8), { tokens: 3, resourceOwners: 0, read: 8 });
    assert.deepEqual(await count(100), { tokens: 35, resourceOwners: 0, read: 40 });
    assert.deepEqual(await count(100, day + 9), { tokens: 25, resourceOwners: 0, read: 30 });
  });

  it('are removed from all segments when the client was deleted, and the client after them', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    const api = await addResourceServer(store);
    const [client, other] = [await addClient(store, 'x', api), await addClient(store, 'y', api)];
    await stored(database, client.id, [0, 7, 3, 7, 9, 11, 13, 15, 17, 19, 21]);
    const kept = await stored(database, other.id, [0, 7, 23]);
    await store.clients.delete(client.id);
    const now = database.clock.now() + 1;
    const purge = (signal?: AbortSignal) =>
      store.purge({ expiredBefore: 0, deletedBefore: now, batchSize: 2, ...(signal && { signal }) });
    // Tokens that another node has not removed keep their client.
    const message = await database.sql('select * from outbox_message');
    await database.sql('delete from outbox_message');
    assert.equal((await purge()).clients, 0);
    const [{ sequence_number, topic, payload, creation_date } = {}] = message;
    await database.sql(
      'insert into outbox_message (sequence_number, topic, payload, creation_date) values (?, ?, ?, ?)',
      sequence_number as number,
      topic as string,
      payload as string,
      creation_date as number,
    );
    const report = await purge();
    assert.deepEqual([report.revokedTokens, report.clients], [11, 1]);
    assert.deepEqual(await idsIn(database, 'access_token'), kept.toSorted());
  });
});
