import assert from 'node:assert/strict';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Worker as Thread } from 'node:worker_threads';
import { givesThreads, giveThreads, Worker } from './lasting-worker.ts';

/** Leaves its mark on the thread, answers with the data that it got and the marks before, and ends when it is told to. */
const database = `import { parentPort, workerData } from 'node:worker_threads';
  const before = globalThis.marks ?? [];
  globalThis.marks = [...before, workerData.name];
  parentPort.postMessage({ name: workerData.name, before });
  parentPort.on('message', (message) => {
    if (message === 'fail') throw new Error('the thread fails');
    parentPort.postMessage('last'); parentPort.close();
  });
  //`;
// What the thread adds to the address is in the comment.
const module = `data:text/javascript,${encodeURIComponent(database)}`;

/** Answers with a message as it came, and ends when it is told to. */
const echo = `data:text/javascript,${encodeURIComponent(`export function servePort(port) {
  port.on('message', (message) => {
    port.postMessage(message);
    if (message === 'close') port.close();
  });
}`)}`;

async function opened(name: string) {
  const workerData = { module, name };
  const worker = new Worker('', { workerData });
  const [{ before }] = await once(worker, 'message');
  return { worker, before };
}

async function close(worker: Worker): Promise<void> {
  const ended = once(worker, 'exit');
  const answered = once(worker, 'message');
  worker.postMessage('close');
  assert.deepEqual(await answered, ['last']);
  await ended;
}

describe('a database without a thread', () => {
  const before = givesThreads();
  beforeEach(() => giveThreads(false));
  afterEach(() => giveThreads(before));

  it('is served in this thread, with copies of messages, until it is closed', async () => {
    let threads = 0;
    const count = () => {
      threads += 1;
    };
    process.on('worker', count);
    try {
      const worker = new Worker('', { workerData: { module: echo } });
      const exits: unknown[] = [];
      worker.on('exit', () => exits.push('exit'));
      const sent = { bytes: new Uint8Array([1, 2]) };
      worker.postMessage(sent);
      const [came] = await once(worker, 'message');
      assert.deepEqual(came, sent);
      assert.notEqual(came, sent);
      const ended = once(worker, 'exit');
      worker.postMessage('close');
      await ended;
      assert.deepEqual(exits, ['exit']);
    } finally {
      process.off('worker', count);
    }
    assert.equal(threads, 0);
  });

  it('is served no more after its end, and says so once', async () => {
    const worker = new Worker('', { workerData: { module: echo } });
    const events: unknown[] = [];
    worker.on('message', (message) => events.push(message)).on('exit', () => events.push('exit'));
    const ended = once(worker, 'exit');
    await worker.terminate();
    await ended;
    worker.postMessage('late');
    await setImmediate();
    assert.deepEqual(events, ['exit']);
  });
});

describe('a thread of a database', () => {
  const before = givesThreads();
  beforeEach(() => giveThreads(true));
  afterEach(() => giveThreads(before));

  it('serves the next database when this one is closed, and two that are open have two threads', async () => {
    const a = await opened('a');
    const b = await opened('b');
    assert.deepEqual([a.before, b.before], [[], []]);
    await close(a.worker);
    const c = await opened('c');
    assert.deepEqual(c.before, ['a']);
    await Promise.all([close(b.worker), close(c.worker)]);
  });

  for (const [how, end] of [
    ['by the test that had it', async (thread) => void (await thread.terminate())],
    ['a moment ago', async (thread) => void thread.terminate()],
    [
      'after its database was closed',
      async (thread, worker) => close(worker).then(() => void thread.terminate()),
    ],
    ['by an error', async (_thread, worker) => worker.postMessage('fail')],
  ] as readonly [string, (thread: Thread, worker: Worker) => Promise<void>][]) {
    it(`serves no other database after it was ended ${how}`, async () => {
      const begun = once(process, 'worker');
      const { worker } = await opened(how);
      const [thread] = await begun;
      const errors: unknown[] = [];
      worker.on('error', (error) => errors.push(error));
      let exits = 0;
      worker.on('exit', () => {
        exits += 1;
      });
      // Not by once(), which an error of the thread rejects.
      const ended = new Promise((resolve) => thread.once('exit', resolve));
      await end(thread, worker);
      const next = await opened(`after ${how}`);
      assert.ok(!next.before.includes(how));
      await ended;
      const last = await opened(`long after ${how}`);
      assert.ok(!last.before.includes(how));
      assert.deepEqual([exits, errors.length], [1, how === 'by an error' ? 1 : 0]);
      await Promise.all([close(next.worker), close(last.worker)]);
    });
  }

  it('serves no other database after it was ended by its database', async () => {
    const ended = await opened('ended');
    await ended.worker.terminate();
    const next = await opened('next');
    assert.ok(!next.before.includes('ended'));
    await close(next.worker);
  });
});
