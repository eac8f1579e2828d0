import type { Clock } from '@watchword/protocol';

/** The time of a test server. */
export interface TestClock extends Clock {
  advance(seconds: number): void;
  /** From now on the time stands still. */
  set(time: Date | number | string): void;
}

/** @param time at which the clock stands; without it, it goes as `Date` does, which fake timers of test runners move too */
export function testClock(time: Date | number | string | undefined): TestClock {
  let stopped = time === undefined ? undefined : timeOf(time);
  let ahead = 0;
  return {
    now: () => stopped ?? Date.now() + ahead,
    advance(seconds) {
      if (!Number.isFinite(seconds)) throw new TypeError(`advance: expected seconds, got ${seconds}`);
      if (stopped === undefined) ahead += seconds * 1000;
      else stopped += seconds * 1000;
    },
    set(next) {
      stopped = timeOf(next);
    },
  };
}

function timeOf(time: Date | number | string): number {
  const milliseconds = new Date(time).getTime();
  if (Number.isNaN(milliseconds)) throw new TypeError(`expected a date, a time or milliseconds, got ${time}`);
  return milliseconds;
}
