import { setTimeout as sleep } from 'node:timers/promises';
import type { Pace } from '@watchword/store-sql';

/** From the smallest to the greatest backlog. */
type Range = readonly [least: number, most: number];

// Milliseconds. So long is the purge late if all is well, and so long must it be late for its greatest share.
const backlog: Range = [600_000, 3_600_000];
// Milliseconds. Measured: shorter than a commit of tokens uses the writing connection.
const batchTime: Range = [1, 2];
// Part of the time of that connection, with few and with many other operations. Each batch delays all operations that wait.
const share: Range = [1 / 5, 1 / 3];
const shareBesideMany: Range = [1 / 25, 1 / 3];
// Operations per millisecond.
const many = 1;
// Milliseconds. A batch that would need a longer rest has waited for a lock, and has not worked.
const longestRest = 1000;
// Milliseconds. A timer is not finer, so after shorter batches one rest is for several.
const shortestRest = 1;
// Batches. Then another kind of rows has its turn, and the backlog is measured again.
const turn = 500;

/** Lets the purge rest after each batch, so that the connection is free for other operations most of the time. */
export class PurgePace implements Pace {
  readonly turn = turn;
  readonly #signal: AbortSignal | undefined;
  readonly #wait: typeof waitUnlessStopped;
  #worked = 0;
  #pressure = 0;
  #isLeft = false;

  constructor(signal?: AbortSignal, wait = waitUnlessStopped) {
    this.#signal = signal;
    this.#wait = wait;
  }

  /** Begins a round. @param lag milliseconds for which the oldest expired row has been late */
  begin(lag: number): void {
    const [least, most] = backlog;
    this.#pressure = Math.min(Math.max((lag - least) / (most - least), 0), 1);
    this.#isLeft = false;
  }

  /** Whether the round left rows. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  leave(): void {
    this.#isLeft = true;
  }

  get batchTime(): number {
    return this.#of(batchTime);
  }

  async rest(worked: number, committed: () => number): Promise<void> {
    this.#worked += worked;
    const rest = restAfter(this.#worked, this.#of(share));
    if (rest < shortestRest) return;
    const before = committed();
    await this.#wait(rest, this.#signal);
    const isBesideMany = committed() - before > rest * many;
    const longer = restAfter(this.#worked, this.#of(shareBesideMany)) - rest;
    this.#worked = 0;
    if (isBesideMany && longer > 0) await this.#wait(longer, this.#signal);
  }

  /** Each step of the backlog multiplies. */
  #of([least, most]: Range): number {
    return least * (most / least) ** this.#pressure;
  }
}

function restAfter(worked: number, part: number): number {
  return Math.min(worked * (1 / part - 1), longestRest);
}

async function waitUnlessStopped(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, signal && { signal }).catch(() => {});
}
