import type { AttemptCount } from '@watchword/protocol';

/** Decides what a count of failed logins means. */
export interface AttemptLimit {
  /** Milliseconds until another attempt is permitted, 0 = now. */
  wait(count: AttemptCount | undefined, now: number): number;
  /** The count after this number of attempts is added, or removed if negative; `undefined` if no attempts are left. */
  add(count: AttemptCount | undefined, attempts: number, now: number): AttemptCount | undefined;
}

export interface BackOff {
  /** Failures in a row without a wait. */
  readonly free: number;
  /** Milliseconds to wait after them; each further failure doubles the wait. */
  readonly firstWait: number;
  /** The longest wait in milliseconds. */
  readonly maxWait: number;
  /** Milliseconds after the wait; if there is no attempt in this time, the count ends. */
  readonly forgetAfter: number;
}

/** Each failure doubles the wait, up to a maximum. */
export function backOff({ free, firstWait, maxWait, forgetAfter }: BackOff): AttemptLimit {
  const waitAfter = (failures: number) =>
    failures < free ? 0 : Math.min(maxWait, firstWait * 2 ** (failures - free));
  return {
    wait(stored, now) {
      const count = unexpired(stored, now);
      return count === undefined ? 0 : Math.max(0, count.at + waitAfter(count.failures) - now);
    },
    add(stored, attempts, now) {
      const failures = (unexpired(stored, now)?.failures ?? 0) + attempts;
      if (failures <= 0) return undefined;
      return { failures, at: now, expires: now + waitAfter(failures) + forgetAfter };
    },
  };
}

export interface Pace {
  /** Failures without a wait. */
  readonly burst: number;
  /** Milliseconds after which one failure is removed: the interval of attempts after the burst. */
  readonly interval: number;
}

/** A leaky bucket: a burst of failures, and then one in each interval. It slows down and never locks. */
export function pace({ burst, interval }: Pace): AttemptLimit {
  /** Milliseconds until the count is empty: a whole number, to which the fraction of a count is rounded. */
  const debt = (stored: AttemptCount | undefined, now: number) => {
    const count = unexpired(stored, now);
    return count === undefined ? 0 : Math.max(0, Math.round(count.failures * interval) - (now - count.at));
  };
  return {
    wait: (stored, now) => Math.max(0, debt(stored, now) + interval - burst * interval),
    add(stored, attempts, now) {
      const left = debt(stored, now) + attempts * interval;
      return left <= 0 ? undefined : { failures: left / interval, at: now, expires: now + left };
    },
  };
}

function unexpired(count: AttemptCount | undefined, now: number): AttemptCount | undefined {
  return count === undefined || count.expires <= now ? undefined : count;
}

/** If the clock was set back, a count can have a later time than now. Its time becomes now, so that no user waits longer. */
export function notAhead(count: AttemptCount | undefined, now: number): AttemptCount | undefined {
  if (count === undefined || count.at <= now) return count;
  return { ...count, at: now, expires: count.expires - (count.at - now) };
}
