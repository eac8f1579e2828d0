import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { coalescedLookup } from '../../src/hot/hot-access.ts';

describe('lookups of one turn of the event loop', () => {
  it('are answered together, each with its own result', async () => {
    const batches: (readonly number[])[] = [];
    const lookUp = coalescedLookup(async (keys: readonly number[]) => {
      batches.push(keys);
      return keys.map((key) => key * 2);
    });
    assert.deepEqual(await Promise.all([1, 2, 1].map(lookUp)), [2, 4, 2]);
    assert.equal(await lookUp(3), 6);
    assert.deepEqual(batches, [[1, 2, 1], [3]]);
  });

  it('are read after their call, never before', async () => {
    let content = 'old';
    const lookUp = coalescedLookup(async (keys: readonly string[]) => keys.map(() => content));
    const answer = lookUp('x');
    content = 'new';
    assert.equal(await answer, 'new');
  });

  it('fail together, and the next ones are read again', async () => {
    let broken = true;
    const lookUp = coalescedLookup(async (keys: readonly number[]) => {
      if (broken) throw new Error('no');
      return keys;
    });
    for (const outcome of await Promise.allSettled([lookUp(1), lookUp(2)])) {
      assert.equal(outcome.status, 'rejected');
    }
    broken = false;
    assert.equal(await lookUp(3), 3);
  });
});
