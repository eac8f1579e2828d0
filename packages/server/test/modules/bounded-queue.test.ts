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
    assert.ok(!queue.isFull);
    const running = queue.run(first.run);
    const waiting = queue.run(second.run);
    assert.ok(queue.isFull);
    await assert.rejects(queue.run(third.run), QueueFullError);
    assert.ok(!third.hasBegun);
    first.end('a');
    assert.equal(await running, 'a');
    assert.ok(!queue.isFull);
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

  describe('whose tasks take turns', () => {
    const from = (of: string) => ({ of, isKnownDevice: false });
    const device = (of: string) => ({ of, isKnownDevice: true });

    /** A queue with one running task, in which others wait. Tasks that begin, and those that are refused, are in `log`. */
    function busyQueue(maxWaiting: number) {
      const log: string[] = [];
      const queue = new BoundedQueue({ concurrency: 1, maxWaiting, onRefused: () => log.push('refused') });
      const running = work();
      const tasks = [queue.run(running.run)];
      return {
        queue,
        log,
        add(name: string, turn: Parameters<typeof queue.run>[1]) {
          const begun = queue.run(async () => log.push(name), turn);
          tasks.push(begun.then(String, () => log.push(`not ${name}`)).then(String));
        },
        async end() {
          running.end('');
          await Promise.all(tasks);
          return log.join(' ');
        },
      };
    }

    it('does the tasks of each address in their order, one of each after the other', async () => {
      const { add, end } = busyQueue(6);
      for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) add(name, from(name.slice(0, 1)));
      assert.equal(await end(), 'a1 b1 c1 a2 b2 a3');
    });

    it('gives known devices every other turn, and no more', async () => {
      const { add, end } = busyQueue(7);
      for (const name of ['a1', 'a2', 'b1']) add(name, from(name.slice(0, 1)));
      for (const name of ['x1', 'x2', 'x3', 'y1']) add(name, device(name.slice(0, 1)));
      assert.equal(await end(), 'x1 a1 y1 b1 x2 a2 x3');
    });

    it('gives the place of an address with most tasks to one with fewer, when it is full', async () => {
      const { add, queue, end } = busyQueue(4);
      for (const name of ['a1', 'a2', 'a3', 'a4']) add(name, from('a'));
      assert.ok(queue.refuses(from('a')));
      assert.ok(!queue.refuses(from('b')));
      for (const name of ['b1', 'b2', 'b3']) add(name, from('b'));
      add('c1', from('c'));
      assert.equal(
        await end(),
        'refused refused refused refused refused not b3 not a4 not a3 not a2 a1 b1 c1 b2',
      );
    });

    it('keeps no known device out, however many addresses wait', async () => {
      const { add, end } = busyQueue(3);
      for (const name of ['a', 'b', 'c', 'd']) add(name, from(name));
      for (const name of ['x1', 'x2', 'x3']) add(name, device('x'));
      for (const name of ['y', 'z']) add(name, device(name));
      assert.match(await end(), / x1 (?:[a-d] )?y (?:[a-d] )?z/);
    });
  });
});
