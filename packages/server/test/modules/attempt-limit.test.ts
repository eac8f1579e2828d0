import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AttemptCount } from '@watchword/protocol';
import fc from 'fast-check';
import { type AttemptLimit, backOff, notAhead, pace } from '../../src/modules/services/attempt-limit.ts';

const now = Date.UTC(2026, 0, 1);

/** Makes this number of failed attempts, each as early as permitted. Returns the milliseconds of wait before each. */
function waits(limit: AttemptLimit, failures: number): number[] {
  let count: AttemptCount | undefined;
  let time = now;
  return Array.from({ length: failures }, () => {
    const wait = limit.wait(count, time);
    time += wait;
    count = limit.add(count, 1, time);
    return wait;
  });
}

describe('a back-off', () => {
  const limit = backOff({ free: 3, firstWait: 1000, maxWait: 5000, forgetAfter: 10_000 });

  it('has no wait for the first failures, and then doubles it with each, up to a maximum', () => {
    assert.deepEqual(waits(limit, 8), [0, 0, 0, 1000, 2000, 4000, 5000, 5000]);
    assert.equal(waits(limit, 2000).at(-1), 5000);
  });

  it('forgets all failures after the time without an attempt that follows the wait', () => {
    const count = { failures: 4, at: now, expires: now + 12_000 };
    assert.deepEqual(limit.add({ ...count, failures: 3 }, 1, now), count);
    assert.equal(limit.wait(count, now), 2000);
    assert.equal(limit.add(count, 1, now + 11_999)?.failures, 5);
    assert.equal(limit.add(count, 1, now + 12_000)?.failures, 1);
  });

  it('removes an attempt', () => {
    const count = limit.add(limit.add(undefined, 1, now), 1, now);
    assert.deepEqual(limit.add(count, -1, now), limit.add(undefined, 1, now));
    assert.equal(limit.add(limit.add(undefined, 1, now), -1, now), undefined);
  });
});

describe('a pace', () => {
  const limit = pace({ burst: 3, interval: 1000 });

  it('permits a burst at once, and then one attempt in each interval', () => {
    assert.deepEqual(waits(limit, 7), [0, 0, 0, 1000, 1000, 1000, 1000]);
    assert.equal(waits(limit, 2000).at(-1), 1000);
  });

  it('begins again when it is empty, and ignores its old count', () => {
    const full = limit.add(undefined, 3, now);
    assert.equal(full?.expires, now + 3000);
    assert.equal(limit.wait(full, now + 2999), 0);
    assert.deepEqual(limit.add(full, 1, now + 3000), limit.add(undefined, 1, now + 3000));
  });

  it('never permits more than its burst and one attempt in each interval', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 1500 }), { maxLength: 60 });
    fc.assert(
      fc.property(
        steps,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 997 }),
        (pauses, burst, ms) => {
          const tested = pace({ burst, interval: ms });
          let count: AttemptCount | undefined;
          let time = now;
          let passed = 0;
          for (const pause of pauses) {
            time += pause;
            if (tested.wait(count, time) > 0) continue;
            count = tested.add(count, 1, time);
            passed += 1;
          }
          assert.ok(passed <= burst + (time - now) / ms + 1e-3);
        },
      ),
    );
  });

  it('returns a wait after which the attempt is permitted, and not a millisecond before', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 997 }),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(5000),
        (ms, burst, age) => {
          const tested = pace({ burst, interval: ms });
          const count = tested.add(tested.add(undefined, burst, now), burst, now + (age % (ms * burst)));
          const wait = tested.wait(count, now + age);
          assert.equal(tested.wait(count, now + age + wait), 0);
          if (wait > 1) assert.ok(tested.wait(count, now + age + wait - 1) > 0);
        },
      ),
    );
  });
});

describe('a count from a clock that was set back', () => {
  it('has a wait from now on, and not from the future', () => {
    const count = { failures: 4, at: now + 7_200_000, expires: now + 7_205_000 };
    assert.deepEqual(notAhead(count, now), { failures: 4, at: now, expires: now + 5000 });
    assert.equal(notAhead(count, now + 7_200_000), count);
    assert.equal(notAhead(undefined, now), undefined);
  });
});
