import { setTimeout as sleep } from 'node:timers/promises';
import type { Pace } from '@watchword/store-sql';

// Milliseconds. Measured: shorter than a commit of tokens uses the writing connection.
const batchTime = 1;
// Part of the time of that connection, with few and with many other operations. Each batch delays all operations that wait.
const share = 1 / 5;
const shareBesideMany = 1 / 25;
// Operations per millisecond.
const many = 1;
// Milliseconds. A batch that would need a longer rest has waited for a lock, and has not worked.
const longestRest = 1000;

/** Lets the purge rest after each batch, so that the connection is free for other operations most of the time. */
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
