import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AttemptRule } from '@watchword/protocol';
import type { Store } from '../../src/index.ts';
import { testDatabase } from '../support/test-database.ts';

const oneMore: AttemptRule<number> = ([found]) => {
  const failures = found?.failures ?? 0;
  return { answer: failures, counts: [{ failures: failures + 1, at: 0, expires: 1 }] };
};

describe('counts of failed logins', () => {
  it('are exact when two processes change them at once', async () => {
    await using database = await testDatabase();
    const stores = [await database.openServer(), await database.openTool()];
    const answers = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const seen: number[] = [];
        for (const { loginAttempts } of stores) seen.push(await loginAttempts.change(['a'], oneMore));
        return seen;
      }),
    );
    assert.deepEqual(
      answers.flat().toSorted((a, b) => a - b),
      Array.from({ length: 24 }, (_, index) => index),
    );
  });

  it('of concurrent attempts are committed together', async () => {
    await using database = await testDatabase();
    const commits: number[] = [];
    const { loginAttempts } = await database.openServer((size) => commits.push(size));
    await Promise.all(Array.from({ length: 50 }, () => loginAttempts.change(['a'], oneMore)));
    assert.ok(commits.length <= 2, `${commits.length} commits`);
  });

  it('are not written without a change', async () => {
    await using database = await testDatabase();
    const commits: number[] = [];
    const { loginAttempts } = await database.openServer((size) => commits.push(size));
    await loginAttempts.change(['a'], oneMore);
    for (let round = 0; round < 5; round += 1) {
      const count = await loginAttempts.change(['a', 'b'], (counts) => ({ answer: counts[0], counts }));
      assert.equal(count?.failures, 1);
    }
    assert.deepEqual(commits, [1]);
  });
});

describe('the purge of counts of failed logins', () => {
  const end = Date.UTC(2026, 0, 1);
  it('removes those that have no effect any more', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    await put(store, { a: end - 2, b: end - 1, c: end });
    const report = await store.purge({ expiredBefore: end, deletedBefore: end, batchSize: 1 });
    assert.equal(report.loginAttempts, 2);
    assert.deepEqual(await left(store, 'a', 'b', 'c'), ['c']);
  });
});

/** Stores a count under each key, with the time from which on it has no effect. */
function put({ loginAttempts }: Store, expires: Readonly<Record<string, number>>): Promise<void> {
  const counts = Object.values(expires).map((time) => ({ failures: 1, at: 0, expires: time }));
  return loginAttempts.change(Object.keys(expires), () => ({ answer: undefined, counts }));
}

async function left({ loginAttempts }: Store, ...keys: string[]): Promise<string[]> {
  const found = await loginAttempts.change(keys, (counts) => ({ answer: counts, counts }));
  return keys.filter((_, index) => found[index] !== undefined);
}
