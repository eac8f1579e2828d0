import { setTimeout as sleep } from 'node:timers/promises';
import type { Pace } from '@watchword/store-sql';

// Milliseconds. Measured: shorter than a commit of tokens keeps the connection that writes.
const batchTime = 1;
// Of the time of that connection, beside few operations and beside many: each batch delays all that wait for it.
const share = 1 / 5;
const shareBesideMany = 1 / 25;
// Operations a millisecond.
const many = 1;
// Milliseconds. A batch that needed a longer rest has waited for a lock, and not worked.
const longestRest = 1000;

/** Lets the purge rest after each batch, so that others have what it works on for most of the time. */
export function purgePace(signal?: AbortSignal, wait = waitUnlessStopped): Pace {
  return {
    batchTime,
    async rest(worked, committed) {
      const before = committed();
      const rest = restAfter(worked, share);
      await wait(rest, signal);
      const isBesideMany = committed() - before > rest * many;
      if (isBesideMany) await wait(restAfter(worked, shareBesideMany) - rest, signal);
    },
  };
}

function restAfter(worked: number, part: number): number {
  return Math.min(worked * (1 / part - 1), longestRest);
}

async function waitUnlessStopped(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, signal && { signal }).catch(() => {});
}
