import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { databaseFor } from '@watchword/server-testkit/servers/engine';
import { openServerStore, openStore, type Store } from '@watchword/store-sql';
import { FakeClock } from '@watchword/testkit';
import { pino } from 'pino';
import { underLease } from '../../src/runtime/work/lease.ts';

const logger = pino({ enabled: false });

/** Two nodes on one database. */
async function nodes() {
  const directory = await temporaryDirectory();
  const file = directory.file('test.db');
  await copyMigrated(file);
  const options = { database: await databaseFor(file), clock: new FakeClock() };
  const { clock } = options;
  const stores: Store[] = [await openServerStore(options), await openStore(options)];
  const [one, two] = stores.map(({ leases }) => underLease({ leases, clock, logger }));
  if (one === undefined || two === undefined) throw new Error('two nodes were opened');
  const close = async () => {
    for (const store of stores.reverse()) await store.close();
    await directory[Symbol.asyncDispose]();
  };
  return { one, two, clock, leases: stores[0]?.leases, [Symbol.asyncDispose]: close };
}

describe('background work under a lease', () => {
  it('is done by one node at a time, and then by the next one', async () => {
    await using pair = await nodes();
    const { one, two } = pair;
    const done: string[] = [];
    const first = await one('purge', async () => {
      assert.ok(!(await two('purge', async () => done.push('two'))));
      assert.ok(await two('key-rotation', async () => done.push('another work')));
      done.push('one');
    });
    assert.ok(first);
    assert.ok(await two('purge', async () => done.push('two')));
    assert.deepEqual(done, ['another work', 'one', 'two']);
  });

  it('is free for the next node after an error', async () => {
    await using pair = await nodes();
    const { one, two } = pair;
    await assert.rejects(
      one('purge', () => Promise.reject(new Error('no'))),
      /^Error: no$/,
    );
    assert.ok(await two('purge', async () => {}));
  });

  it('is taken over 30 seconds after its node has ended', async () => {
    await using pair = await nodes();
    const { two, clock, leases } = pair;
    await leases?.take('purge', 'a process that was killed', clock.now(), 30_000);
    clock.advance(29_999);
    assert.ok(!(await two('purge', async () => {})));
    clock.advance(1);
    assert.ok(await two('purge', async () => {}));
  });

  it('is stopped when the lease was lost', async (context) => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    await using pair = await nodes();
    const { one, two, clock } = pair;
    const isStopped = await new Promise((resolve) => {
      void one('purge', async (signal) => {
        const lost = new Promise((stop) => signal.addEventListener('abort', stop));
        clock.advance(30_000);
        await two('purge', async () => {
          context.mock.timers.tick(10_000);
          await lost;
        });
        resolve(signal.aborted);
      });
    });
    assert.equal(isStopped, true);
  });

  it('continues while the lease is renewed', async (context) => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    await using pair = await nodes();
    const { one, two, clock } = pair;
    await one('purge', async (signal) => {
      for (let round = 0; round < 5; round += 1) {
        clock.advance(10_000);
        context.mock.timers.tick(10_000);
        // This answer follows the renewal.
        await one('issued-counts', async () => {});
        assert.ok(!(await two('purge', async () => {})));
      }
      assert.ok(!signal.aborted);
    });
  });
});
