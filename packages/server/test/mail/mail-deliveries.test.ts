import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock, memoryStore } from '@watchword/testkit';
import { Metrics } from '../../src/runtime/metrics/metrics.ts';
import { MailDeliveries, type MailFailure } from '../../src/runtime/work/mail-deliveries.ts';

interface Attempt {
  readonly id: string;
  end(failure?: MailFailure): Promise<void>;
}

const later: MailFailure = { kind: 'postponed', reason: 'later' };
const down: MailFailure = { kind: 'unavailable', reason: 'down' };
const hour = 3_600_000;

/** After the work that is under way. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Deliveries whose attempts the test ends. */
function postOffice(store = memoryStore(), clock = new FakeClock()) {
  const attempts: Attempt[] = [];
  const lines: object[] = [];
  const log = (line: object) => lines.push(line);
  const deliveries = new MailDeliveries({
    outgoingMail: store.outgoingMail,
    clock,
    logger: { warn: log, error: log } as never,
    metrics: new Metrics('test'),
    sealAgain: async ({ attempts: count }) => `sealed again ${count}`,
    deliver({ id }) {
      const { promise, resolve } = Promise.withResolvers<MailFailure | undefined>();
      const end = (failure?: MailFailure) => {
        resolve(failure);
        return settled();
      };
      attempts.push({ id, end });
      return promise;
    },
  });
  return {
    clock,
    store,
    attempts,
    lines,
    deliveries,
    async wake() {
      deliveries.wake();
      await settled();
    },
    async add(id: string, expires = clock.now() + 24 * hour) {
      const now = clock.now();
      const mail = { id, kind: 'invitation', sealed: 'sealed', attempts: 0, creationDate: now };
      await store.outgoingMail.add({ ...mail, nextAttempt: now, expires });
    },
    all: () => store.outgoingMail.listDue(Number.MAX_SAFE_INTEGER, 99),
  };
}

describe('the mails of a process', () => {
  it('are sent four at a time, and removed when they are sent', async () => {
    const { add, wake, attempts, all } = postOffice();
    for (const id of ['1', '2', '3', '4', '5']) await add(id);
    await wake();
    assert.deepEqual(
      attempts.map(({ id }) => id),
      ['1', '2', '3', '4'],
    );
    await attempts[0]?.end();
    assert.equal(attempts[4]?.id, '5');
    assert.equal((await all()).length, 4);
  });

  it('are sent by one of two nodes', async () => {
    const [clock, store] = [new FakeClock(), memoryStore()];
    const [one, other] = [postOffice(store, clock), postOffice(store, clock)];
    await one.add('1');
    await Promise.all([one.wake(), other.wake()]);
    assert.equal(one.attempts.length + other.attempts.length, 1);
  });

  it('are sent by another node when the one that sends them is killed', async () => {
    const [clock, store] = [new FakeClock(), memoryStore()];
    const [killed, other] = [postOffice(store, clock), postOffice(store, clock)];
    await killed.add('1');
    await killed.wake();
    await other.wake();
    assert.equal(other.attempts.length, 0);
    clock.advance(30_000);
    await other.wake();
    assert.deepEqual(
      other.attempts.map(({ id }) => id),
      ['1'],
    );
  });

  it('are tried again after growing waits, sealed with the newest key', async () => {
    const { add, wake, attempts, clock, all } = postOffice();
    await add('1');
    for (const [index, wait] of [10_000, 30_000, 90_000].entries()) {
      await wake();
      await attempts[index]?.end(later);
      const [mail] = await all();
      assert.deepEqual(
        [mail?.nextAttempt, mail?.attempts, mail?.sealed],
        [clock.now() + wait, index + 1, `sealed again ${index}`],
      );
      clock.advance(wait);
    }
  });

  it('wait together while the mail server is down, at most five minutes', async () => {
    const { add, wake, attempts, clock, all } = postOffice();
    for (const id of ['1', '2']) await add(id);
    await wake();
    for (const attempt of attempts) await attempt.end(down);
    await add('3');
    await wake();
    assert.equal(attempts.length, 2);
    for (let round = 0; round < 9; round += 1) {
      const before: number = attempts.length;
      const next = Math.min(...(await all()).map(({ nextAttempt }) => nextAttempt));
      clock.advance(Math.max(next - clock.now(), 300_000));
      await wake();
      assert.ok(attempts.length > before);
      for (const attempt of attempts.slice(before)) await attempt.end(down);
      for (const mail of await all()) assert.ok(mail.nextAttempt - clock.now() <= 300_000);
    }
    clock.advance(300_000);
    await wake();
    const before = attempts.length - 3;
    for (const attempt of attempts.slice(before)) await attempt.end();
    assert.deepEqual(await all(), []);
  });

  it('are given up when they are refused for good, and when their time is over', async () => {
    const { add, wake, attempts, clock, all, lines } = postOffice();
    await add('refused');
    await add('short', clock.now() + 5000);
    await add('late', clock.now() + 15_000);
    await wake();
    await attempts[0]?.end({ kind: 'refused', reason: 'unknown' });
    await attempts[1]?.end(later);
    await attempts[2]?.end(later);
    assert.deepEqual(
      (await all()).map(({ id }) => id),
      ['late'],
    );
    clock.advance(20_000);
    await wake();
    assert.deepEqual(await all(), []);
    assert.equal(attempts.length, 3);
    const reasons = lines.map((line) => (line as { reason: string }).reason);
    assert.deepEqual(reasons, ['unknown', 'later', 'later', 'its time is over']);
  });

  it('rest for five seconds when the database cannot be written', async (t) => {
    const { add, wake, attempts, clock, store, lines } = postOffice();
    await add('1');
    const claim = t.mock.method(store.outgoingMail, 'claim', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('full disk');
    });
    await wake();
    await wake();
    assert.deepEqual([claim.mock.callCount(), lines.length], [1, 1]);
    claim.mock.restore();
    clock.advance(5000);
    await wake();
    assert.equal(attempts.length, 1);
  });

  it('that are under way end before the process does, and no other begins', async () => {
    const { add, wake, attempts, deliveries, all } = postOffice();
    await add('1');
    await wake();
    let isStopped = false;
    const stopped = deliveries.stop().then(() => {
      isStopped = true;
    });
    await add('2');
    await wake();
    assert.ok(!isStopped && attempts.length === 1);
    await attempts[0]?.end();
    await stopped;
    assert.deepEqual(
      (await all()).map(({ id }) => id),
      ['2'],
    );
  });
});
