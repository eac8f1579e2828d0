import type { AuthenticatorHealth, BackgroundWork, Clock, FailedLogins, Health } from '@watchword/protocol';
import type { LeaseState, ServerStore } from '@watchword/store-sql';
import type { LeaseName } from './lease.ts';

export interface HealthDependencies {
  readonly store: Pick<ServerStore, 'size' | 'free' | 'check' | 'leases'>;
  readonly clock: Clock;
  /** Seconds between two runs. The heartbeat for replicas is one long run. */
  readonly intervals: Readonly<Record<Exclude<LeaseName, 'replica-heartbeat'>, number>>;
  failedLogins(): FailedLogins;
  authenticators(): readonly AuthenticatorHealth[];
}

/** Reads the health of the server. Each part is cheap. A database that cannot be written is a problem in the answer, not an error. */
export function healthReader({
  store,
  clock,
  intervals,
  failedLogins,
  authenticators,
}: HealthDependencies): () => Promise<Health> {
  const startDate = clock.now();
  return async () => {
    const [size, free, problem, leases] = await Promise.all([
      store.size(),
      store.free().catch(() => undefined),
      problemOf(store),
      store.leases.list(),
    ]);
    const work = Object.entries(intervals).map(([name, interval]) => {
      const lease = leases.find((each) => each.name === name);
      return workOf({ name, interval }, lease, { now: clock.now(), startDate });
    });
    return {
      startDate,
      database: { size, free, problem },
      work,
      failedLogins: failedLogins(),
      authenticators: authenticators(),
    };
  };
}

async function problemOf(store: Pick<ServerStore, 'check'>): Promise<string | undefined> {
  try {
    await store.check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

// Seconds that a run can take.
const longestRun = 60;

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
