import type { BackgroundWork } from '@watchword/administration';
import type { Clock } from '@watchword/protocol';
import type { LeaseState, LeaseStore } from '@watchword/store-sql';
import { flushInterval } from './flushing.ts';
import { keyMaintenanceInterval, keyRotationInterval } from './key-rotation.ts';
import type { LeaseName } from './lease.ts';

/** Seconds between two runs. */
type Intervals = Readonly<Record<LeaseName, number>>;

// Seconds that a run can take.
const longestRun = 60;

export interface BackgroundWorkDependencies {
  readonly leases: Pick<LeaseStore, 'list'>;
  readonly clock: Clock;
  /** Seconds between two runs of the purge. */
  readonly purgeInterval: number;
}

/** Reads the state of all background work, of whichever node does it. */
export function backgroundWorkReader({
  leases,
  clock,
  purgeInterval,
}: BackgroundWorkDependencies): () => Promise<BackgroundWork[]> {
  const startDate = clock.now();
  const intervals: Intervals = {
    purge: purgeInterval,
    'key-rotation': keyRotationInterval,
    'signing-keys': keyMaintenanceInterval,
    'issued-counts': flushInterval,
  };
  return async () => {
    const states = await leases.list();
    return Object.entries(intervals).map(([name, interval]) => {
      const lease = states.find((each) => each.name === name);
      return workOf({ name, interval }, lease, { now: clock.now(), startDate });
    });
  };
}

/** Milliseconds. */
function overdueAfter(interval: number): number {
  return (2 * interval + longestRun) * 1000;
}

/** While this node runs, a work is due at the interval, although no node ran before. */
function workOf(
  work: Pick<BackgroundWork, 'name' | 'interval'>,
  lease: LeaseState | undefined,
  { now, startDate }: { readonly now: number; readonly startDate: number },
): BackgroundWork {
  const lastSuccess = lease?.lastSuccess;
  const isRunning = lease !== undefined && lease.expires > now;
  const since = now - Math.max(lastSuccess ?? 0, startDate);
  return { ...work, lastSuccess, isRunning, isOverdue: !isRunning && since > overdueAfter(work.interval) };
}
