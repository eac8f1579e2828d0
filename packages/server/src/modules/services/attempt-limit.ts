import type { AttemptCount } from '@watchword/protocol';

/** What a count of failed logins means. */
export interface AttemptLimit {
  /** Milliseconds until another attempt may be made, 0 = now. */
  wait(count: AttemptCount | undefined, now: number): number;
  /** The count with so many more, or fewer; `undefined` when none are left. */
  add(count: AttemptCount | undefined, attempts: number, now: number): AttemptCount | undefined;
}

export interface BackOff {
  /** Failures in a row before there is anything to wait for. */
  readonly free: number;
  /** Milliseconds to wait after so many; each failure more doubles them. */
  readonly firstWait: number;
  /** Milliseconds that are waited at most. */
  readonly maxWait: number;
  /** Milliseconds without an attempt, beyond the wait, after which all is forgotten. */
  readonly forgetAfter: number;
}

/** Each failure doubles the wait, up to a cap. */
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
  /** Failures that may come at once. */
  readonly burst: number;
  /** Milliseconds in which one of them is forgotten: the pace at which attempts go on after the burst. */
  readonly interval: number;
}

/** A leaky bucket: so many failures at once, and then one an interval. It slows down and never locks. */
export function pace({ burst, interval }: Pace): AttemptLimit {
  /** Milliseconds until all is forgotten: a whole number, which the fraction of a count is rounded back to. */
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

/** A count from a clock that has been set back since, as if it were from now: nobody waits for the old time. */
export function notAhead(count: AttemptCount | undefined, now: number): AttemptCount | undefined {
  if (count === undefined || count.at <= now) return count;
  return { ...count, at: now, expires: count.expires - (count.at - now) };
}
