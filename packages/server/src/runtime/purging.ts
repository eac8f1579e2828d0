import { type Clock, clockTolerance } from '@watchword/protocol';
import type { PurgeReport, Store } from '@watchword/store-sql';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import { purgePace } from './pace.ts';

// Long enough for every node to have heard of a deletion, however long it was held up.
const tombstoneMs = 3_600_000;
// Three months of statistics.
const countsMs = 92 * 86_400_000;
const batchSize = 500;

export interface Retention {
  /** Seconds that what expired is kept. */
  readonly retention: number;
  /** Seconds that somebody may take over a page. */
  readonly authStateLifetime: number;
  /** Seconds that the trail of changes is kept; 0 = for ever. */
  readonly auditRetention: number;
  /** Seconds that logins, logouts, withdrawals and grants are kept in it; 0 = for ever. */
  readonly loginRetention: number;
}

/** Removes what is dead now. */
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
    answeredBefore: now - (authStateLifetime + clockTolerance) * 1000,
    ...(auditRetention > 0 && { auditedBefore: now - auditRetention * 1000 }),
    ...(loginRetention > 0 && { loggedInBefore: now - loginRetention * 1000 }),
    countedBefore: now - countsMs,
    batchSize,
    pace: purgePace(signal),
    ...(signal && { signal }),
  });
}

export interface PurgingDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Removes dead rows again and again; the returned function stops it and resolves once it is quiet. */
export function startPurging(
  { store, clock, logger, metrics }: PurgingDependencies,
  options: Retention & { readonly interval: number },
): () => Promise<void> {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> = Promise.resolve();

  const run = async () => {
    try {
      const report = await purgeOnce(store, clock, options, stop.signal);
      for (const [kind, rows] of Object.entries(report)) metrics.purged(kind, rows);
      if (Object.values(report).some((rows) => rows > 0)) logger.info(report, 'removed dead rows');
    } catch (error) {
      logger.error({ err: error }, 'dead rows could not be removed; trying again at the next interval');
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
