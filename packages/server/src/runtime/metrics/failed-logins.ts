import type { FailedLogins } from '@watchword/administration';

const minuteMs = 60_000;
const minutes = 60;

/** Counts failed logins by minute, for the last two hours. Time is monotonic: a change of the clock changes no count. */
export class RecentFailedLogins {
  readonly #byMinute = new Map<number, number>();
  readonly #now: () => number;

  /** @param now monotonic milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  add(): void {
    const minute = this.#minute;
    this.#byMinute.set(minute, (this.#byMinute.get(minute) ?? 0) + 1);
    for (const earlier of this.#byMinute.keys()) {
      if (earlier > minute - 2 * minutes) break;
      this.#byMinute.delete(earlier);
    }
  }

  read(): FailedLogins {
    const end = this.#minute + 1;
    return {
      lastHour: this.#sum(end - minutes, end),
      hourBefore: this.#sum(end - 2 * minutes, end - minutes),
    };
  }

  get #minute(): number {
    return Math.floor(this.#now() / minuteMs);
  }

  /** @param until the minute after the last */
  #sum(from: number, until: number): number {
    let sum = 0;
    for (const [minute, failures] of this.#byMinute) if (minute >= from && minute < until) sum += failures;
    return sum;
  }
}
