import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { purgePace } from '../src/runtime/pace.ts';

describe('the pace of the purge', () => {
  it('leaves other work four fifths of the time, for batches of any length', async () => {
    const rests: number[] = [];
    const { rest } = purgePace(undefined, async (milliseconds) => void rests.push(milliseconds));
    for (const worked of [1, 10, 3]) await rest(worked, () => 0);
    assert.deepEqual(rests, [4, 40, 12]);
  });

  it('leaves other work 24 of 25 parts while it commits more than one operation a millisecond', async () => {
    let committed = 0;
    let perRest = 4;
    const rests: number[] = [];
    const { rest } = purgePace(undefined, async (milliseconds) => {
      rests.push(milliseconds);
      committed += perRest;
    });
    await rest(1, () => committed);
    assert.deepEqual(rests.splice(0), [4]);
    perRest = 5;
    await rest(1, () => committed);
    assert.deepEqual(rests, [4, 20]);
  });

  it('rests at most a second after a batch that waited for a lock', async () => {
    const rests: number[] = [];
    await purgePace(undefined, async (milliseconds) => void rests.push(milliseconds)).rest(60_000, () => 0);
    assert.deepEqual(rests, [1000]);
  });

  it('ends a rest when the purge is stopped', { timeout: 10_000 }, async (test) => {
    // The time does not advance: only the signal ends a rest.
    test.mock.timers.enable({ apis: ['setTimeout'] });
    const stop = new AbortController();
    const { rest } = purgePace(stop.signal);
    const resting = rest(100, () => 0);
    stop.abort();
    await resting;
    await rest(100, () => 0);
  });
});
