import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Mutex } from '../../src/work/waiting.ts';

const turn = () => new Promise(setImmediate);

describe('a mutex', () => {
  it('has one holder at a time, in the order of the calls', async () => {
    const mutex = new Mutex();
    const order: string[] = [];
    await Promise.all(
      [1, 2, 3].map((n) =>
        mutex.run(async () => {
          order.push(`in ${n}`);
          await turn();
          order.push(`out ${n}`);
        }),
      ),
    );
    assert.deepEqual(order, ['in 1', 'out 1', 'in 2', 'out 2', 'in 3', 'out 3']);
  });

  it('returns the result of the work, or its error, and is free after both', async () => {
    const mutex = new Mutex();
    await assert.rejects(
      mutex.run(() => Promise.reject(new Error('no'))),
      /^Error: no$/,
    );
    assert.equal(await mutex.run(async () => 5), 5);
  });

  it('stays locked until it is released', async () => {
    const mutex = new Mutex();
    const release = await mutex.acquire();
    let entered = false;
    const next = mutex.run(async () => {
      entered = true;
    });
    await turn();
    assert.ok(!entered);
    release();
    await next;
    assert.ok(entered);
  });

  it('ignores a second release of one holder', async () => {
    const mutex = new Mutex();
    const release = await mutex.acquire();
    release();
    const second = await mutex.acquire();
    release();
    let entered = false;
    const third = mutex.run(async () => {
      entered = true;
    });
    await turn();
    assert.ok(!entered);
    second();
    await third;
  });
});
