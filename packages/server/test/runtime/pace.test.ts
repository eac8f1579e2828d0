import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PurgePace } from '../../src/runtime/work/pace.ts';

function paced() {
  const rests: number[] = [];
  let perRest = 0;
  let done = 0;
  const pace = new PurgePace(undefined, async (milliseconds) => {
    rests.push(Math.round(milliseconds * 100) / 100);
    done += perRest;
  });
  return {
    pace,
    committing: (operations: number) => {
      perRest = operations;
    },
    async rest(worked: number) {
      await pace.rest(worked, () => done);
      return rests.splice(0);
    },
  };
}

const minute = 60_000;

describe('the pace of the purge', () => {
  it('leaves other work four fifths of the time, for batches of any length', async () => {
    const { rest } = paced();
    for (const [worked, rests] of [
      [1, [4]],
      [10, [40]],
      [3, [12]],
    ] as const)
      assert.deepEqual(await rest(worked), rests);
  });

  it('leaves other work 24 of 25 parts while it commits more than one operation a millisecond', async () => {
    const { rest, committing } = paced();
    committing(4);
    assert.deepEqual(await rest(1), [4]);
    committing(5);
    assert.deepEqual(await rest(1), [4, 20]);
  });

  it('makes one rest for batches after which a timer could not rest', async () => {
    const { rest } = paced();
    assert.deepEqual([await rest(0.125), await rest(0.125), await rest(0.125)], [[], [1], []]);
  });

  it('gives the purge a greater share and longer batches the longer the oldest expired row is late, up to a third', async () => {
    const { rest, pace, committing } = paced();
    committing(1000);
    const seen = [];
    for (const lag of [0, 10, 35, 60, 10_000]) {
      pace.begin(lag * minute);
      const rests = (await rest(1)).reduce((sum, each) => sum + each, 0);
      seen.push([pace.batchTime, rests].map((each) => Math.round(each * 100) / 100));
    }
    assert.deepEqual(seen, [
      [1, 24],
      [1, 24],
      [1.41, 7.66],
      [2, 2],
      [2, 2],
    ]);
    pace.begin(0);
    assert.equal(pace.batchTime, 1);
  });

  it('knows whether a round left rows', () => {
    const { pace } = paced();
    pace.leave();
    assert.ok(pace.isLeft);
    pace.begin(0);
    assert.ok(!pace.isLeft);
  });

  it('rests at most a second after a batch that waited for a lock', async () => {
    assert.deepEqual(await paced().rest(60_000), [1000]);
  });

  it('ends a rest when the purge is stopped', { timeout: 10_000 }, async (test) => {
    // The time does not advance: only the signal ends a rest.
    test.mock.timers.enable({ apis: ['setTimeout'] });
    const stop = new AbortController();
    const pace = new PurgePace(stop.signal);
    const resting = pace.rest(100, () => 0);
    stop.abort();
    await resting;
    await pace.rest(100, () => 0);
  });
});
