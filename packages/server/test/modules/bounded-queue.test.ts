import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BoundedQueue, QueueFullError } from '../../src/modules/authentication/bounded-queue.ts';

/** Work that ends when the test says so. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const job = {
    hasBegun: false,
    end: resolve,
    fail: reject,
    run() {
      job.hasBegun = true;
      return promise;
    },
  };
  return job;
}

const turn = () => new Promise(setImmediate);

describe('a bounded queue', () => {
  it('runs a limited number of tasks at a time, and the rest in their order', async () => {
    const queue = new BoundedQueue({ concurrency: 2, maxWaiting: 2 });
    const jobs = [work(), work(), work(), work()];
    const done = jobs.map((job) => queue.run(job.run));
    const begun = () => jobs.map(({ hasBegun }) => hasBegun);
    await turn();
    assert.deepEqual(begun(), [true, true, false, false]);
    jobs[1]?.end('b');
    await turn();
    assert.deepEqual(begun(), [true, true, true, false]);
    for (const job of jobs) job.end('x');
    assert.deepEqual(await Promise.all(done), ['x', 'b', 'x', 'x']);
  });

  it('rejects tasks while it is full, and accepts them when a place is free', async () => {
    const queue = new BoundedQueue({ concurrency: 1, maxWaiting: 1 });
    const [first, second, third, fourth] = [work(), work(), work(), work()];
    assert.equal(queue.isFull, false);
    const running = queue.run(first.run);
    const waiting = queue.run(second.run);
    assert.equal(queue.isFull, true);
    await assert.rejects(queue.run(third.run), QueueFullError);
    assert.equal(third.hasBegun, false);
    first.end('a');
    assert.equal(await running, 'a');
    assert.equal(queue.isFull, false);
    const later = queue.run(fourth.run);
    for (const job of [second, fourth]) job.end('b');
    assert.deepEqual(await Promise.all([waiting, later]), ['b', 'b']);
  });

  it('goes on after a task that failed', async () => {
    const queue = new BoundedQueue({ concurrency: 1, maxWaiting: 1 });
    const [first, second] = [work(), work()];
    const [failed, done] = [queue.run(first.run), queue.run(second.run)];
    first.fail(new Error('no'));
    await assert.rejects(failed, /^Error: no$/);
    second.end('b');
    assert.equal(await done, 'b');
    assert.equal(await queue.run(async () => 'c'), 'c');
  });
});
