import { requestErrorHours } from '@watchword/administration';
import { type Clock, clockTolerance, maxRefreshGrace, nodeClockTolerance } from '@watchword/protocol';
import type { PurgeOptions, PurgeReport, Store } from '@watchword/store-sql';
import type { Logger } from '../log/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { UnderLease } from './lease.ts';
import { PurgePace } from './pace.ts';

// Long enough for every node to read a deletion, and to commit every token whose issue had begun.
const tombstoneMs = 3_600_000;
// Statistics are kept for three months, those of single clients for the longest time that can be asked for.
const countsMs = 92 * 86_400_000;
const countsOfClientsMs = 32 * 86_400_000;
const batchSize = 500;
const unusedInterval = 3_600_000;

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

type RetentionSettings = Readonly<
  Record<'purge.retention' | 'authState.lifetime' | 'audit.retention' | 'audit.loginRetention', number>
>;

export function retentionOf(configuration: RetentionSettings): Retention {
  return {
    retention: configuration['purge.retention'],
    authStateLifetime: configuration['authState.lifetime'],
    auditRetention: configuration['audit.retention'],
    loginRetention: configuration['audit.loginRetention'],
  };
}

/**
 * Removes expired, revoked and deleted rows now, in rounds in which each kind of rows has a turn, until no row is left.
 *
 * @param onRound gets what each round removed
 */
export async function purgeOnce(
  store: Store,
  clock: Clock,
  retention: Retention,
  signal?: AbortSignal,
  onRound = (_: PurgeReport) => {},
): Promise<PurgeReport> {
  const pace = new PurgePace(signal);
  let total: PurgeReport | undefined;
  do {
    const bounds = boundsAt(clock.now(), retention);
    pace.begin(await store.purgeLag(bounds));
    const report = await store.purge({ ...bounds, batchSize, pace, ...(signal && { signal }) });
    onRound(report);
    total = added(report, total);
  } while (pace.isLeft && !signal?.aborted);
  return total;
}

/** Seconds since the oldest expired row should have been removed; 0 = no row should. */
export async function purgeLagSeconds(store: Store, clock: Clock, retention: Retention): Promise<number> {
  return (await store.purgeLag(boundsAt(clock.now(), retention))) / 1000;
}

function boundsAt(
  now: number,
  { retention, authStateLifetime, auditRetention, loginRetention }: Retention,
): Omit<PurgeOptions, 'batchSize'> {
  return {
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
  };
}

function added(report: PurgeReport, before: PurgeReport | undefined): PurgeReport {
  const sums: Record<keyof PurgeReport, number> = { ...report };
  for (const kind of Object.keys(sums) as (keyof PurgeReport)[]) sums[kind] += before?.[kind] ?? 0;
  return sums;
}

/**
 * The time by which rows are removed. It does not follow a clock that jumps ahead by more than the interval: rows that are valid
 * would be removed if it is wrong. It goes on from where it was, and follows the clock again when that goes back.
 */
export class PurgeClock implements Clock {
  readonly #clock: Clock;
  readonly #elapsed: () => number;
  readonly #interval: number;
  readonly #onJump: (milliseconds: number) => void;
  #last: { readonly time: number; readonly elapsed: number };
  #ahead = 0;

  /** @param elapsed milliseconds, on no clock that is set. @param interval milliseconds */
  constructor(clock: Clock, elapsed: () => number, interval: number, onJump: (milliseconds: number) => void) {
    this.#clock = clock;
    this.#elapsed = elapsed;
    this.#interval = interval;
    this.#onJump = onJump;
    this.#last = { time: clock.now(), elapsed: elapsed() };
  }

  now(): number {
    const [time, elapsed] = [this.#clock.now(), this.#elapsed()];
    const jump = time - this.#last.time - (elapsed - this.#last.elapsed);
    this.#last = { time, elapsed };
    if (jump > this.#interval) {
      this.#ahead += jump;
      this.#onJump(jump);
    } else if (jump < 0) this.#ahead = Math.max(0, this.#ahead + jump);
    return time - this.#ahead;
  }
}

export interface PurgingDependencies {
  readonly store: Store;
  /**
   * Deletes clients that nobody uses any more, which is a change with an entry in the audit log. It looks at all of them, so it is called once an
   * hour. @returns how many
   */
  readonly deleteUnused: (clock: Clock, signal: AbortSignal) => Promise<number>;
  readonly underLease: UnderLease;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Purges at an interval. The returned function stops that, and resolves when no purge runs any more. */
export function startPurging(
  { store, deleteUnused, underLease, clock, logger, metrics }: PurgingDependencies,
  options: Retention & { readonly interval: number },
): () => Promise<void> {
  const stop = new AbortController();
  let unusedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> = Promise.resolve();
  const steady = new PurgeClock(clock, performance.now.bind(performance), options.interval * 1000, (jump) =>
    logger.error(
      { seconds: Math.round(jump / 1000) },
      'the clock jumped ahead: the purge keeps its own time, so that no row is removed too early; set the clock if it is wrong, or restart the server if it is right',
    ),
  );

  const purge = async (lost: AbortSignal) => {
    const count = (report: PurgeReport) => {
      for (const [kind, rows] of Object.entries(report)) metrics.purged(kind, rows);
    };
    const stopped = AbortSignal.any([stop.signal, lost]);
    const report = await purgeOnce(store, steady, options, stopped, count);
    if (Object.values(report).some((rows) => rows > 0))
      logger.info(report, 'removed expired, revoked and deleted rows');
    if (performance.now() < unusedAt) return;
    unusedAt = performance.now() + unusedInterval;
    const clients = await deleteUnused(steady, stopped);
    if (clients > 0)
      logger.info({ clients }, 'deleted clients that nobody registered for others and nobody uses');
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
