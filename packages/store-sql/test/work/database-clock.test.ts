import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseClock } from '../../src/dialects/postgresql/database-clock.ts';
import type { ClockJump } from '../../src/store/store.ts';

const second = 1000;
const hour = 3_600_000;
const noon = Date.UTC(2026, 0, 1, 12);

/** A node, its machine and a database. Each has a clock that a test can set; a round trip takes two milliseconds. */
class Machines {
  monotonic = 5000;
  machine = noon;
  database = noon;
  readonly jumps: ClockJump[] = [];
  readonly clock: DatabaseClock;

  constructor({ machineAhead = 0 } = {}) {
    this.machine += machineAhead;
    this.clock = new DatabaseClock({ now: () => this.machine }, () => this.monotonic);
    this.clock.watch((jump) => this.jumps.push(jump));
  }

  pass(milliseconds: number): void {
    this.monotonic += milliseconds;
    this.machine += milliseconds;
    this.database += milliseconds;
  }

  /** @param there milliseconds until the database reads its clock, and `back` until the answer is here */
  async poll(there = 1, back = 1): Promise<void> {
    const ask = async () => {
      this.pass(there);
      const time = this.database;
      this.pass(back);
      return time;
    };
    await this.clock.timed(ask, (time) => time);
  }

  async pollFor(seconds: number): Promise<void> {
    for (let poll = 0; poll < seconds * 4; poll += 1) {
      this.pass(248);
      await this.poll();
    }
  }

  /** Milliseconds. */
  get ahead(): number {
    return this.clock.now() - this.database;
  }
}

describe('the clock of a node on PostgreSQL', () => {
  it('is that of the machine until the database has answered', () => {
    const machines = new Machines({ machineAhead: hour });
    assert.equal(machines.clock.now(), noon + hour);
    machines.pass(7);
    assert.equal(machines.clock.now(), noon + hour + 7);
  });

  it('is that of the database from its first answer, whatever the clock of the machine', async () => {
    const machines = new Machines({ machineAhead: -2 * hour });
    await machines.poll();
    assert.equal(machines.ahead, 0);
    machines.machine += 5 * hour;
    await machines.pollFor(10);
    assert.equal(machines.ahead, 0);
    const atStart = { ahead: 2 * hour, isFollowed: true, isAtStart: true };
    assert.deepEqual(machines.jumps, [atStart]);
    const later: ClockJump[] = [];
    machines.clock.watch((jump) => later.push(jump));
    assert.deepEqual(later, [atStart]);
  });

  it('is read from the answer that took the least time', async () => {
    const machines = new Machines();
    await machines.poll(900, 100);
    assert.equal(machines.ahead, 400);
    await machines.pollFor(10);
    assert.equal(machines.ahead, 0);
    await machines.poll(0, 2000);
    await machines.pollFor(1);
    assert.equal(machines.ahead, 0);
  });

  it('approaches a clock that was set a little, and never goes back', async () => {
    const machines = new Machines();
    await machines.poll();
    machines.database -= 900;
    let before = machines.clock.now();
    for (let poll = 0; poll < 50; poll += 1) {
      await machines.pollFor(0.25);
      const now = machines.clock.now();
      assert.ok(now >= before + 220, `${now - before} ms in 250 ms`);
      before = now;
    }
    assert.equal(machines.ahead, 0);
  });

  it('keeps its time when the database has a wrong clock after a failover', async () => {
    for (const ahead of [hour, -hour]) {
      const machines = new Machines();
      await machines.pollFor(1);
      machines.database += ahead;
      await machines.pollFor(60);
      assert.equal(machines.clock.now(), machines.machine);
      assert.deepEqual(machines.jumps, [{ ahead, isFollowed: false }]);
      machines.database -= ahead;
      await machines.pollFor(1);
      assert.equal(machines.ahead, 0);
    }
  });

  it('follows a jump that the clock of its machine made too, such as after a sleep', async () => {
    for (const ahead of [5 * second, hour, -hour]) {
      const machines = new Machines();
      await machines.pollFor(1);
      machines.database += ahead;
      machines.machine += ahead;
      await machines.pollFor(0.25);
      assert.equal(machines.ahead, 0);
      const expected = Math.abs(ahead) === hour ? [{ ahead, isFollowed: true }] : [];
      assert.deepEqual(machines.jumps, expected);
    }
  });

  it('goes on while the database does not answer', async () => {
    const machines = new Machines();
    await machines.pollFor(1);
    const failed = machines.clock.timed(
      () => Promise.reject(new Error('no')),
      () => 0,
    );
    await assert.rejects(failed, /no/);
    machines.pass(hour);
    assert.equal(machines.ahead, 0);
  });

  it('allows for other nodes that are two seconds ahead', () => {
    assert.equal(new Machines().clock.othersAhead, 2 * second);
  });
});
