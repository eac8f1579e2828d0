import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Slots } from '../../src/dialects/sqlite/threads/database-thread.ts';

describe('slots', () => {
  it('keep each value under a number of its own, and return it once', () => {
    const slots = new Slots<string>();
    const [a, b] = [slots.put('a'), slots.put('b')];
    assert.notEqual(a, b);
    assert.equal(slots.take(b), 'b');
    assert.equal(slots.take(b), undefined);
    assert.equal(slots.take(a), 'a');
  });

  it('use a number again after its value was taken, so that their size is the maximum at one time', () => {
    const slots = new Slots<number>();
    for (let round = 0; round < 1000; round += 1) {
      const kept = [slots.put(round), slots.put(round)];
      assert.deepEqual(kept.toSorted(), [0, 1]);
      for (const slot of kept) slots.take(slot);
    }
  });

  it('have no value for an unused number', () => {
    assert.equal(new Slots().take(7), undefined);
  });

  it('return every value that they keep, once', () => {
    const slots = new Slots<string>();
    const gone = slots.put('gone');
    slots.put('a');
    slots.put('b');
    slots.take(gone);
    assert.deepEqual(slots.takeAll(), ['a', 'b']);
    assert.deepEqual(slots.takeAll(), []);
    assert.deepEqual([slots.put('c'), slots.put('d'), slots.put('e')].toSorted(), [0, 1, 2]);
  });
});
