import type { Fetch, FetchAnswer } from '../platform/platform.ts';
import type { Clocks } from '../platform/system.ts';

/** Milliseconds by which the clock of this machine is ahead of that of the server, at least and at most. */
export interface ClockDifference {
  readonly least: number;
  readonly most: number;
}

export interface ClockWatch {
  readonly fetch: Fetch;
  /** By the last answer that had a time; `undefined` if none had. */
  difference(): ClockDifference | undefined;
}

/** Milliseconds. Beyond it no list of revocations is accepted, and clients and other servers refuse tokens. */
export const greatestDifference = 60_000;
/** Milliseconds between two warnings. */
const interval = 3_600_000;

/** Compares the clocks by the header `Date` of each answer (RFC 9110 §6.6.1), and warns while they differ by more than a minute. */
export function watchClock(
  fetch: Fetch,
  { now, monotonic }: Pick<Clocks, 'now' | 'monotonic'>,
  warn: (message: string) => void,
): ClockWatch {
  let last: ClockDifference | undefined;
  let warned = Number.NEGATIVE_INFINITY;
  return {
    difference: () => last,
    async fetch(url, init) {
      const sent = now();
      const answer = await fetch(url, init);
      const dated = dateOf(answer);
      if (Number.isNaN(dated)) return answer;
      // The header has whole seconds.
      last = { least: sent - dated - 1000, most: now() - dated };
      if (isOff(last) && monotonic() - warned >= interval) {
        warned = monotonic();
        warn(
          `The clock of this machine is ${shownDifference(last)} that of the authorization server at ${url}: tokens expire at a wrong time, and revocations may be missed. ${clockAdvice}`,
        );
      }
      return answer;
    },
  };
}

export const clockAdvice =
  'Compare "date -u" on both machines, and set the clocks by NTP (timedatectl set-ntp true)';

/** @param by milliseconds */
export function isOff({ least, most }: ClockDifference, by = greatestDifference): boolean {
  return least > by || most < -by;
}

/** Completes the sentence "the clock is … that of the server". */
export function shownDifference({ least, most }: ClockDifference): string {
  const isAhead = least > 0;
  return `${Math.round(Math.abs(isAhead ? least : most) / 1000)} s ${isAhead ? 'ahead of' : 'behind'}`;
}

/** Epoch milliseconds; NaN if the answer has no time. A cache keeps the time of the answer, and says how old it is. */
function dateOf({ headers }: FetchAnswer): number {
  return Date.parse(headers.get('date') ?? '') + Number(headers.get('age') ?? 0) * 1000;
}
