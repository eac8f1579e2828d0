import assert from 'node:assert/strict';
import { it } from 'node:test';
import { start } from '../grants/granted.ts';
import type { OpenStore } from '../store-under-test.ts';
import { withStore } from '../with-store.ts';

const expires = start + 1000;

export function oneTimeRules(openStore: OpenStore): void {
  it(
    'stores a key once, taken or not, expired or not',
    withStore(openStore, async ({ oneTime }) => {
      assert.ok(await oneTime.put('a', '1', expires));
      assert.ok(!(await oneTime.put('a', '2', expires + 1)));
      assert.ok(await oneTime.put('A', '3', expires));
      assert.equal(await oneTime.take('a', start), '1');
      assert.ok(!(await oneTime.put('a', '4', expires)));
      assert.equal(await oneTime.take('a', start), undefined);
      assert.ok(await oneTime.put('old', '', start - 1));
      assert.ok(!(await oneTime.put('old', '', expires)));
    }),
  );

  it(
    'returns a value as it was stored, until it expires',
    withStore(openStore, async ({ oneTime }) => {
      const long = `Émma 👩‍👧 ${'x'.repeat(100_000)}`;
      await oneTime.put('long', long, expires);
      await oneTime.put('late', '', expires);
      assert.equal(await oneTime.take('long', expires - 1), long);
      assert.equal(await oneTime.take('late', expires), undefined);
      assert.equal(await oneTime.take('nothing', start), undefined);
    }),
  );

  it(
    'accepts one of many callers that store one key concurrently, and one of many that take it',
    withStore(openStore, async ({ oneTime }) => {
      const many = Array.from({ length: 20 }, (_, index) => String(index));
      const put = await Promise.all(many.map((value) => oneTime.put('key', value, expires)));
      assert.equal(put.filter(Boolean).length, 1);
      const taken = await Promise.all(many.map(() => oneTime.take('key', start)));
      assert.deepEqual(
        taken.filter((value) => value !== undefined),
        [many[put.indexOf(true)]],
      );
    }),
  );
}
