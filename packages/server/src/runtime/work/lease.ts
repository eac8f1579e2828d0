import { randomUUID } from 'node:crypto';
import { type Clock, nodeClockTolerance } from '@watchword/protocol';
import type { LeaseStore } from '@watchword/store-sql';
import type { Logger } from '../log/logger.ts';

// Milliseconds after which another process can take the lease of a process that was killed, whatever the clocks of the two.
const longestWait = 30_000;
const duration = longestWait - nodeClockTolerance;
const renewal = longestWait / 3;

export type LeaseName = 'purge' | 'key-rotation' | 'signing-keys' | 'issued-counts';

/**
 * Does the work while this process has the lease, so that only one node on a database does it at a time. Resolves with
 * `false`, and does nothing, if another process has the lease.
 *
 * @param work must stop when the signal reports that the lease is lost
 */
export type UnderLease = (
  name: LeaseName,
  work: (signal: AbortSignal) => Promise<unknown>,
) => Promise<boolean>;

export interface LeaseDependencies {
  readonly leases: LeaseStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function underLease({ leases, clock, logger }: LeaseDependencies): UnderLease {
  // Each call has its own holder, so that two calls in one process do not share a lease.
  return async (name, work) => {
    const holder = randomUUID();
    const take = () => leases.take(name, holder, clock.now(), duration);
    if (!(await take())) return false;
    const lost = new AbortController();
    const renewing = renewUntil(lost, take, (error) => {
      logger.warn(
        { err: error, lease: name },
        'a lease could not be renewed; the work continues at the next interval',
      );
    });
    let succeeded: number | undefined;
    try {
      await work(lost.signal);
      succeeded = clock.now();
    } finally {
      clearInterval(renewing);
      await leases.release(name, holder, succeeded);
    }
    return true;
  };
}

/** Renews the lease at intervals. When a renewal fails, `lost` is aborted. */
function renewUntil(
  lost: AbortController,
  take: () => Promise<boolean>,
  onError: (error: unknown) => void,
): NodeJS.Timeout {
  const renew = async () => {
    try {
      if (!(await take())) throw new Error('another process has taken it');
    } catch (error) {
      if (lost.signal.aborted) return;
      lost.abort();
      onError(error);
    }
  };
  return setInterval(renew, renewal).unref();
}
