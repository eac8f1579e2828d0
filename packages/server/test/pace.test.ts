import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { restingPace } from '../src/operation/pace.ts';

/** A clock that moves while batches work and while they rest. */
function stoppedTime() {
  let time = 0;
  const rests: number[] = [];
  return {
    rests,
    now: () => time,
    work: (milliseconds: number) => async () => {
      time += milliseconds;
    },
    rest: async (milliseconds: number) => {
      rests.push(milliseconds);
      time += milliseconds;
    },
  };
}

describe('the pace of the purge', () => {
  it('leaves others the rest of the time, however long each batch takes', async () => {
    const time = stoppedTime();
    const pace = restingPace({ share: 1 / 5, ...time });
    for (const milliseconds of [1, 10, 3]) await pace(time.work(milliseconds));
    assert.deepEqual(time.rests, [4, 40, 12]);
    assert.equal(time.now(), 5 * (1 + 10 + 3));
  });

  it('rests no longer than a second after a batch that waited for a lock', async () => {
    const time = stoppedTime();
    await restingPace({ share: 1 / 5, ...time })(time.work(60_000));
    assert.deepEqual(time.rests, [1000]);
  });

  it('hands on what a batch answers, and what it throws', async () => {
    const pace = restingPace({ share: 1 / 5, rest: async () => {} });
    assert.equal(await pace(async () => 7), 7);
    await assert.rejects(
      pace(async () => {
        throw new Error('no');
      }),
      /^Error: no$/,
    );
  });

  it('ends a rest when the purge is stopped', { timeout: 10_000 }, async (test) => {
    // Time stands still: a rest ends by the signal alone.
    test.mock.timers.enable({ apis: ['setTimeout'] });
    const stop = new AbortController();
    const pace = restingPace({ share: 1 / 5, signal: stop.signal });
    const resting = pace(async () => 'removed');
    stop.abort();
    assert.equal(await resting, 'removed');
    assert.equal(await pace(async () => 'removed'), 'removed');
  });
});
