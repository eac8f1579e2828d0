import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AttemptCount, AttemptRule, LoginAttemptStore } from '@watchword/protocol';
import type { OpenStore } from '../store-under-test.ts';
import { withStore } from '../with-store.ts';

const at = Date.UTC(2026, 0, 1);

function count(failures: number, expires = at + 60_000): AttemptCount {
  return { failures, at, expires };
}

/** Increments the count of every key; returns the counts before. */
const oneMore: AttemptRule<number[]> = (counts) => {
  const failures = counts.map((found) => found?.failures ?? 0);
  return { answer: failures, counts: failures.map((before) => count(before + 1)) };
};

function read(store: LoginAttemptStore, ...keys: string[]): Promise<readonly (AttemptCount | undefined)[]> {
  return store.change(keys, (counts) => ({ answer: counts, counts }));
}

export function loginAttemptRules(openStore: OpenStore): void {
  it(
    'keeps a count, and only under its key',
    withStore(openStore, async ({ loginAttempts }) => {
      const [whole, fraction] = [count(3), count(0.123456789, at + 1)];
      await loginAttempts.change(['a', 'b'], () => ({ answer: undefined, counts: [whole, fraction] }));
      assert.deepEqual(await read(loginAttempts, 'b', 'c', 'a'), [fraction, undefined, whole]);
    }),
  );

  it(
    'removes a count when the rule returns none',
    withStore(openStore, async ({ loginAttempts }) => {
      await loginAttempts.change(['a', 'b'], oneMore);
      await loginAttempts.change(['a', 'b'], ([, b]) => ({ answer: undefined, counts: [undefined, b] }));
      assert.deepEqual(await read(loginAttempts, 'a', 'b'), [undefined, count(1)]);
    }),
  );

  it(
    'applies concurrent changes one after another, under one key and under several',
    withStore(openStore, async ({ loginAttempts }) => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => loginAttempts.change([`own ${index % 5}`, 'all'], oneMore)),
      );
      const seen = answers.map(([, all]) => all ?? -1).toSorted((a, b) => a - b);
      assert.deepEqual(
        seen,
        Array.from({ length: 50 }, (_, index) => index),
      );
      const left = await read(
        loginAttempts,
        'all',
        ...Array.from({ length: 5 }, (_, index) => `own ${index}`),
      );
      assert.deepEqual(
        left.map((found) => found?.failures),
        [50, 10, 10, 10, 10, 10],
      );
    }),
  );

  it(
    'changes nothing when a rule throws, and fails only its own caller',
    withStore(openStore, async ({ loginAttempts }) => {
      const fails = () => {
        throw new Error('no');
      };
      const [failed, counted] = await Promise.allSettled([
        loginAttempts.change(['a'], fails),
        loginAttempts.change(['a'], oneMore),
      ]);
      assert.equal(failed.status, 'rejected');
      assert.equal(counted.status, 'fulfilled');
      assert.deepEqual(await read(loginAttempts, 'a'), [count(1)]);
    }),
  );
}
