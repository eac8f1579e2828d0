import type { AttemptCount } from '@watchword/protocol';

/** Decides what a count of failed logins means. */
export interface AttemptLimit {
  /** Milliseconds until another attempt is permitted, 0 = now. */
  wait(count: AttemptCount | undefined, now: number): number;
  /** The count with this number of attempts more, or fewer; `undefined` when none are left. */
  add(count: AttemptCount | undefined, attempts: number, now: number): AttemptCount | undefined;
}

export interface BackOff {
  /** Failures in a row without a wait. */
  readonly free: number;
  /** Milliseconds to wait after them; each further failure doubles the wait. */
  readonly firstWait: number;
  /** The longest wait in milliseconds. */
  readonly maxWait: number;
  /** Milliseconds without an attempt, after the wait, that end the count. */
  readonly forgetAfter: number;
}

/** Each failure doubles the wait, up to a maximum. */
export function backOff({ free, firstWait, maxWait, forgetAfter }: BackOff): AttemptLimit {
  const waitAfter = (failures: number) =>
    failures < free ? 0 : Math.min(maxWait, firstWait * 2 ** (failures - free));
  return {
    wait(stored, now) {
      const count = living(stored, now);
      return count === undefined ? 0 : Math.max(0, count.at + waitAfter(count.failures) - now);
    },
    add(stored, attempts, now) {
      const failures = (living(stored, now)?.failures ?? 0) + attempts;
      if (failures <= 0) return undefined;
      return { failures, at: now, expires: now + waitAfter(failures) + forgetAfter };
    },
  };
}

export interface Pace {
  /** Failures without a wait. */
  readonly burst: number;
  /** Milliseconds that remove one failure: the pace of attempts after the burst. */
  readonly interval: number;
}

/** A leaky bucket: a burst of failures, and then one in each interval. It slows down and never locks. */
export function pace({ burst, interval }: Pace): AttemptLimit {
  /** Milliseconds until the count is empty: a whole number, to which the fraction of a count is rounded. */
  const debt = (stored: AttemptCount | undefined, now: number) => {
    const count = living(stored, now);
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

function living(count: AttemptCount | undefined, now: number): AttemptCount | undefined {
  return count === undefined || count.expires <= now ? undefined : count;
}

/** A count from a clock that was set back since then, as if it were of now: no caller waits for the old time. */
export function notAhead(count: AttemptCount | undefined, now: number): AttemptCount | undefined {
  if (count === undefined || count.at <= now) return count;
  return { ...count, at: now, expires: count.expires - (count.at - now) };
}
