import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LogoutAttemptResult, LogoutDelivery } from '@watchword/protocol';
import { FakeClock, memoryStore, sessionFactory } from '@watchword/testkit';
import { createLogger } from '../../src/runtime/log/logger.ts';
import { Metrics } from '../../src/runtime/metrics/metrics.ts';
import { LogoutDeliveries } from '../../src/runtime/work/logout-deliveries.ts';

interface Attempt {
  readonly delivery: LogoutDelivery;
  end(result: LogoutAttemptResult): void;
}

/** Deliveries whose attempts the test ends. */
function courier() {
  const clock = new FakeClock();
  const store = memoryStore(clock);
  const make = sessionFactory();
  const attempts: Attempt[] = [];
  const begun: ((attempt: Attempt) => void)[] = [];
  const deliveries = new LogoutDeliveries({
    ...store,
    clock,
    logger: createLogger(
      'silent',
      { stream: { write: () => {} }, dropped: () => 0, flush: async () => {} },
      { version: '0.0.0' },
    ),
    metrics: new Metrics('test'),
    async deliver(delivery) {
      await store.logoutDeliveries.claim(delivery, clock.now() + 30_000);
      const { promise, resolve } = Promise.withResolvers<LogoutAttemptResult>();
      const attempt = {
        delivery,
        end(result: LogoutAttemptResult) {
          resolve(result);
        },
      };
      attempts.push(attempt);
      begun.shift()?.(attempt);
      const result = await promise;
      if (result.outcome === 'delivered') await store.logoutDeliveries.remove(delivery);
      return result;
    },
  });
  return {
    clock,
    store,
    deliveries,
    attempts,
    clientsOf: () => attempts.map(({ delivery }) => delivery.clientRecordId),
    /** The next attempt that begins. */
    next: () => new Promise<Attempt>((resolve) => begun.push(resolve)),
    async endSessions(clientRecordId: number, count: number) {
      for (let index = 0; index < count; index += 1) {
        const session = make();
        const { id, expires } = session;
        await store.loginSessions.insert(session);
        const client = { id, sessionId: id, clientRecordId, sid: id, subject: 's', expires };
        await store.sessionClients.insert(client);
        await store.loginSessions.delete(id, { now: clock.now() });
      }
    },
  };
}

/** After the work that is under way. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the deliveries of a process', () => {
  it('have at most four attempts at a time of one client, and leave the others their turn', async () => {
    const { deliveries, endSessions, clientsOf, attempts } = courier();
    await endSessions(1, 10);
    await endSessions(2, 2);
    deliveries.wake();
    await settled();
    assert.deepEqual(clientsOf(), [1, 1, 1, 1, 2, 2]);
    attempts[0]?.end({ outcome: 'delivered' });
    await settled();
    await settled();
    assert.deepEqual(clientsOf(), [1, 1, 1, 1, 2, 2, 1]);
  });

  it('have at most sixteen attempts at a time', async () => {
    const { deliveries, endSessions, attempts } = courier();
    for (let client = 1; client <= 6; client += 1) await endSessions(client, 4);
    deliveries.wake();
    await settled();
    assert.equal(attempts.length, 16);
  });

  it('give a client that failed no further attempt for a time, which grows with each failure', async () => {
    const { deliveries, endSessions, attempts, clock, store } = courier();
    await endSessions(1, 6);
    deliveries.wake();
    await settled();
    assert.equal(attempts.length, 4);
    attempts[0]?.end({ outcome: 'retried' });
    await settled();
    await settled();
    assert.equal(attempts.length, 4);
    assert.deepEqual(await store.logoutDeliveries.listDue(clock.now(), 9), []);
    assert.equal((await store.logoutDeliveries.listDue(clock.now() + 10_000, 9)).length, 2);
    clock.advance(10_000);
    deliveries.wake();
    await settled();
    await settled();
    // Three of the first attempts are still under way.
    assert.equal(attempts.length, 5);
  });

  it('are made at once for a client that failed, if an administrator asks for it', async () => {
    const { deliveries, endSessions, attempts, store } = courier();
    await endSessions(1, 1);
    deliveries.wake();
    await settled();
    const [first] = attempts;
    assert.ok(first);
    first.end({ outcome: 'retried' });
    await settled();
    await store.logoutDeliveries.retry(first.delivery, 0);
    deliveries.wakeNow();
    await settled();
    await settled();
    assert.equal(attempts.length, 2);
  });

  it('end with the process: no attempt begins, and those under way are waited for', async () => {
    const { deliveries, endSessions, attempts } = courier();
    await endSessions(1, 6);
    deliveries.wake();
    await settled();
    let isStopped = false;
    const stopped = deliveries.stop().then(() => {
      isStopped = true;
    });
    for (const attempt of attempts.slice(1)) attempt.end({ outcome: 'delivered' });
    await settled();
    assert.deepEqual([isStopped, attempts.length], [false, 4]);
    attempts[0]?.end({ outcome: 'delivered' });
    await stopped;
    assert.equal(attempts.length, 4);
  });
});
