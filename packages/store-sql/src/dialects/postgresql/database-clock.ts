import { type Clock, nodeClockTolerance } from '@watchword/protocol';
import type { ClockJump } from '../../store/store.ts';

/** The clock of the database was read between two moments of this process. So the true offset is within the error. */
interface Reading {
  /** Milliseconds from monotonic to epoch time. */
  readonly offset: number;
  readonly error: number;
}

// Sixteen seconds of polls: a few of them are answered without a pause, also on a busy machine.
const readingsKept = 64;
// Milliseconds by which two clocks can drift apart in that time.
const drift = 20;
// Part of the time. The clock never goes back while it approaches the clock of the database.
const slewRate = 0.1;
// Milliseconds. A process that stood still for longer, such as on a laptop that slept, takes the time of the database at once.
const pause = 1000;
// Milliseconds. So much is more than well-kept machines differ.
const jump = 10_000;

/**
 * The clock of the database, which all nodes share, although their machines have clocks of their own. The database is asked
 * with every poll of the registered records; between two answers monotonic time goes on. So it does not matter when the clock
 * of the machine is set.
 *
 * After a failover the clock of the database can be one that is wrong by hours. All tokens would expire at once, and their
 * rows would be removed, or expired tokens would be valid again. So a jump is followed only if the clock of this machine
 * agrees with it.
 */
export class DatabaseClock implements Clock {
  readonly othersAhead = nodeClockTolerance;
  readonly #machine: Clock;
  readonly #monotonic: () => number;
  #readings: readonly Reading[] = [];
  /** Milliseconds from monotonic to epoch time: at the moment `#since`, and when the clock has reached that of the database. */
  #offset: number;
  #target: number;
  #since: number;
  #isIgnoring = false;
  #atStart: ClockJump | undefined;
  #report: (jump: ClockJump) => void = () => {};

  /** @param monotonic milliseconds */
  constructor(machine: Clock, monotonic: () => number = () => performance.now()) {
    this.#machine = machine;
    this.#monotonic = monotonic;
    this.#since = monotonic();
    this.#offset = machine.now() - this.#since;
    this.#target = this.#offset;
  }

  now(): number {
    const moment = this.#monotonic();
    return Math.floor(moment + this.#offsetAt(moment));
  }

  /**
   * Asks the database, and notes the time that its answer has.
   *
   * @param timeOf epoch milliseconds of the answer, which can have a fraction
   */
  async timed<Answer>(ask: () => Promise<Answer>, timeOf: (answer: Answer) => number): Promise<Answer> {
    const sent = this.#monotonic();
    const answer = await ask();
    const received = this.#monotonic();
    const error = (received - sent) / 2;
    this.#note({ offset: timeOf(answer) - sent - error, error }, received);
    return answer;
  }

  /** Reports the jumps from now on, one that is ignored once, and a great difference at the start. */
  watch(report: (jump: ClockJump) => void): void {
    this.#report = report;
    if (this.#atStart !== undefined) report(this.#atStart);
  }

  #note(reading: Reading, moment: number): void {
    const isFirst = this.#readings.length === 0;
    // Readings that contradict the last one are from a clock that was set since, or from another database.
    const agreeing = this.#readings.filter((earlier) => agree(earlier, reading));
    this.#readings = [...agreeing, reading].slice(-readingsKept);
    const { offset } = this.#readings.reduce((best, each) => (each.error < best.error ? each : best));
    if (isFirst) this.#begin(offset, moment);
    else this.#follow(offset, moment);
  }

  /** Nothing tells which of two clocks is wrong now. All nodes have the same time with that of the database. */
  #begin(offset: number, moment: number): void {
    const ahead = offset - this.#offset;
    if (Math.abs(ahead) > jump) {
      this.#atStart = { ahead, isFollowed: true, isAtStart: true };
      this.#report(this.#atStart);
    }
    this.#set(offset, moment);
  }

  #follow(offset: number, moment: number): void {
    const own = this.#offsetAt(moment);
    const ahead = offset - own;
    const isJump = Math.abs(ahead) > jump;
    const ofMachine = this.#machine.now() - moment;
    const isWitnessed = Math.abs(ofMachine - offset) < Math.abs(ofMachine - own);
    if (isJump && (isWitnessed || !this.#isIgnoring)) this.#report({ ahead, isFollowed: isWitnessed });
    this.#isIgnoring = isJump && !isWitnessed;
    if (isWitnessed && Math.abs(ahead) > pause) this.#set(offset, moment);
    else this.#set(own, moment, isJump ? own : offset);
  }

  #set(offset: number, moment: number, target = offset): void {
    this.#offset = offset;
    this.#since = moment;
    this.#target = target;
  }

  #offsetAt(moment: number): number {
    const way = this.#target - this.#offset;
    const gone = Math.min(Math.abs(way), (moment - this.#since) * slewRate);
    return this.#offset + Math.sign(way) * gone;
  }
}

function agree(a: Reading, b: Reading): boolean {
  return Math.abs(a.offset - b.offset) <= a.error + b.error + drift;
}
