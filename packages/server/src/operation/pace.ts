import { setTimeout as sleep } from 'node:timers/promises';
import type { Pace } from '@watchword/store-sql';

export interface PaceOptions {
  /** Of the time, that the batches may take: between 0 and 1. */
  readonly share: number;
  /** Ends a rest at once. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** Resolves after so many milliseconds, or when the signal is raised. */
  readonly rest?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

// Milliseconds. A batch that needed a second rest has waited for a lock, and not worked.
const longestRest = 1000;

/** Lets batches rest, so that others have what they work on for the rest of the time. The longer one took, the longer it rests. */
export function restingPace({
  share,
  signal,
  now = () => performance.now(),
  rest = wait,
}: PaceOptions): Pace {
  return async (batch) => {
    const started = now();
    const value = await batch();
    const worked = now() - started;
    await rest(Math.min(worked * (1 / share - 1), longestRest), signal);
    return value;
  };
}

function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return sleep(milliseconds, undefined, signal && { signal }).catch(() => {});
}
