import { setTimeout as sleep } from 'node:timers/promises';
import type { Pace } from '@watchword/store-sql';

// Milliseconds. Measured: no longer than a commit of tokens keeps the connection that writes.
const batchTime = 1.5;
// Of the time of that connection.
const share = 1 / 5;
// Milliseconds. A batch that needed a longer rest has waited for a lock, and not worked.
const longestRest = 1000;

/** Lets the purge rest after each batch, so that others have what it works on for four fifths of the time. */
export function purgePace(signal?: AbortSignal, wait = waitUnlessStopped): Pace {
  return {
    batchTime,
    rest: (worked) => wait(Math.min(worked * (1 / share - 1), longestRest), signal),
  };
}

async function waitUnlessStopped(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, signal && { signal }).catch(() => {});
}
