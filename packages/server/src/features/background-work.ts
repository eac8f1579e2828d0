import { purgeUnusedClients } from '@watchword/administration';
import type { AuditEvent, Clock } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import { auditLine } from '../runtime/log/audit-line.ts';
import { loginLog, watchPrimary } from '../runtime/log/database-events.ts';
import { startFlushing } from '../runtime/work/flushing.ts';
import { startKeyRotation } from '../runtime/work/key-rotation.ts';
import { retentionOf, startPurging } from '../runtime/work/purging.ts';
import type { Feature } from './feature.ts';

/** Follows the database: the records in memory when other processes change them, and its clock. */
export function registryWatch({ logger, store }: Pick<Core, 'logger' | 'store'>): Feature {
  return {
    start() {
      store.watchClock?.(({ ahead, isFollowed, isAtStart }) => {
        const seconds = Math.round(ahead / 1000);
        if (isAtStart) {
          logger.warn(
            { seconds },
            'the clock of the database differs from that of this machine: the server has the time of the database; set the one that is wrong, and restart the servers if it is that of the database',
          );
        } else if (isFollowed) {
          logger.warn({ seconds }, 'the clock of the database and that of this machine jumped together');
        } else {
          logger.error(
            { seconds },
            'the clock of the database jumped, and that of this machine did not: the server keeps its own time; set the clock of the database, or restart the servers if it is right',
          );
        }
      });
      store.watchRegistry((error) =>
        logger.error(
          { err: error },
          'changes of clients and resource servers could not be read; the server tries again',
        ),
      );
      // The store ends the watch when it closes.
      return undefined;
    },
  };
}

/** Says what becomes of the role and password of the database when they change, and which server is written to. */
export function databaseServer({ logger, store }: Pick<Core, 'logger' | 'store'>): Feature {
  return {
    start() {
      store.watchLogin?.(loginLog(logger));
      return store.primary && watchPrimary(store.primary, logger);
    },
  };
}

type PurgeParts = Pick<
  Core,
  'clock' | 'configuration' | 'logger' | 'metrics' | 'random' | 'store' | 'underLease'
>;

/** Removes expired, revoked and deleted rows, and clients that nobody registered for others and nobody uses. */
export function purge({
  clock,
  configuration,
  logger,
  metrics,
  random,
  store,
  underLease,
}: PurgeParts): Feature {
  const options = { interval: configuration['purge.interval'], ...retentionOf(configuration) };
  const audited = (event: AuditEvent) => logger.info({ audit: auditLine(event) }, 'changed a record');
  const lifetimes = {
    document: configuration['clients.unusedDocumentLifetime'],
    neverUsed: configuration['clients.neverUsedLifetime'],
    unused: configuration['clients.unusedLifetime'],
  };
  const deleteUnused = (steady: Clock, signal: AbortSignal) =>
    purgeUnusedClients({ ...store, clock: steady, random, audited }, lifetimes, signal);
  return { start: () => startPurging({ store, deleteUnused, underLease, clock, logger, metrics }, options) };
}

/** Stores the counts of issued tokens, and the uses of secrets. */
export function issuedCounts({
  flushCounts,
  logger,
  underLease,
}: Pick<Core, 'flushCounts' | 'logger' | 'underLease'>): Feature {
  return { start: () => startFlushing(flushCounts, underLease, logger) };
}

/** Stores errors of requests. */
export function requestErrors({ logger, requestErrors }: Pick<Core, 'logger' | 'requestErrors'>): Feature {
  return { start: () => requestErrors.start(logger) };
}

/** Rotates the sealing keys, and reads those of other nodes. */
export function keyRotation({
  logger,
  sealer,
  store,
  underLease,
}: Pick<Core, 'logger' | 'sealer' | 'store' | 'underLease'>): Feature {
  const [read, rotate] = [() => sealer.read(), () => sealer.rotate()];
  // Keys that were renewed because another party has them end within a second.
  store.followChanges(read);
  return { start: () => startKeyRotation({ read, rotate, underLease, logger }) };
}
