import {
  type Clock,
  clockTolerance,
  maxRefreshGrace,
  nodeClockTolerance,
  requestErrorHours,
} from '@watchword/protocol';
import type { PurgeReport, Store } from '@watchword/store-sql';
import type { UnderLease } from './lease.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import { purgePace } from './pace.ts';

// Long enough for every node to read a deletion, and to commit every token whose issue had begun.
const tombstoneMs = 3_600_000;
// Statistics are kept for three months, those of single clients for the longest time that can be asked for.
const countsMs = 92 * 86_400_000;
const countsOfClientsMs = 32 * 86_400_000;
const batchSize = 500;

export interface Retention {
  /** Seconds that expired rows are kept. */
  readonly retention: number;
  /** Seconds within which a user must answer a page. */
  readonly authStateLifetime: number;
  /** Seconds that changes are kept in the audit log; 0 = without limit. */
  readonly auditRetention: number;
  /** Seconds that logins, logouts, withdrawals and grants are kept in the audit log; 0 = without limit. */
  readonly loginRetention: number;
}

/** Removes expired, revoked and deleted rows now. */
export function purgeOnce(
  store: Store,
  clock: Clock,
  { retention, authStateLifetime, auditRetention, loginRetention }: Retention,
  signal?: AbortSignal,
): Promise<PurgeReport> {
  const now = clock.now();
  return store.purge({
    expiredBefore: now - retention * 1000,
    deletedBefore: now - tombstoneMs,
    // The longest grace of any setting, because the processes of a database can have different ones.
    unrepeatableBefore: now - maxRefreshGrace * 1000 - nodeClockTolerance,
    answeredBefore: now - (authStateLifetime + clockTolerance) * 1000,
    ...(auditRetention > 0 && { auditedBefore: now - auditRetention * 1000 }),
    ...(loginRetention > 0 && { loggedInBefore: now - loginRetention * 1000 }),
    countedBefore: now - countsMs,
    countedByClientBefore: now - countsOfClientsMs,
    failedBefore: now - requestErrorHours * 3_600_000,
    batchSize,
    pace: purgePace(signal),
    ...(signal && { signal }),
  });
}

export interface PurgingDependencies {
  readonly store: Store;
  readonly underLease: UnderLease;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Purges at an interval. The returned function stops that, and resolves when no purge runs any more. */
export function startPurging(
  { store, underLease, clock, logger, metrics }: PurgingDependencies,
  options: Retention & { readonly interval: number },
): () => Promise<void> {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> = Promise.resolve();

  const purge = async (lost: AbortSignal) => {
    const report = await purgeOnce(store, clock, options, AbortSignal.any([stop.signal, lost]));
    for (const [kind, rows] of Object.entries(report)) metrics.purged(kind, rows);
    if (Object.values(report).some((rows) => rows > 0))
      logger.info(report, 'removed expired, revoked and deleted rows');
  };
  const run = async () => {
    try {
      const isDone = await underLease('purge', purge);
      if (!isDone) logger.debug('another process is purging the database');
    } catch (error) {
      logger.error(
        { err: error },
        'expired, revoked and deleted rows could not be removed; the server tries again at the next interval',
      );
    }
    if (!stop.signal.aborted) schedule();
  };
  const schedule = () => {
    timer = setTimeout(() => {
      underWay = run();
    }, options.interval * 1000);
  };
  schedule();

  return () => {
    stop.abort();
    clearTimeout(timer);
    return underWay;
  };
}
