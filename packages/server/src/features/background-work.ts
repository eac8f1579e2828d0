import type { Core } from '../core.ts';
import { startKeyRotation } from '../runtime/key-rotation.ts';
import { underLease } from '../runtime/lease.ts';
import { startPurging } from '../runtime/purging.ts';
import type { Feature } from './feature.ts';

/** Updates the records in memory when other processes change the database. */
export function registryWatch({ logger, store }: Pick<Core, 'logger' | 'store'>): Feature {
  return {
    start() {
      store.watchRegistry((error) => logger.error({ err: error }, 'changes of clients could not be read'));
      // The store ends the watch when it closes.
      return undefined;
    },
  };
}

/** Removes expired, revoked and deleted rows. */
export function purge({
  clock,
  configuration,
  logger,
  metrics,
  store,
}: Pick<Core, 'clock' | 'configuration' | 'logger' | 'metrics' | 'store'>): Feature {
  const retention = {
    interval: configuration['purge.interval'],
    retention: configuration['purge.retention'],
    authStateLifetime: configuration['authState.lifetime'],
    auditRetention: configuration['audit.retention'],
    loginRetention: configuration['audit.loginRetention'],
  };
  const leased = underLease({ leases: store.leases, clock, logger });
  return { start: () => startPurging({ store, underLease: leased, clock, logger, metrics }, retention) };
}

/** Stores the counts of issued tokens. */
export function issuedCounts({
  clock,
  issuedCounts,
  logger,
  store,
}: Pick<Core, 'clock' | 'issuedCounts' | 'logger' | 'store'>): Feature {
  const leased = underLease({ leases: store.leases, clock, logger });
  return { start: () => issuedCounts.start(leased, logger) };
}

/** Rotates the sealing keys. */
export function keyRotation({
  clock,
  logger,
  sealer,
  store,
}: Pick<Core, 'clock' | 'logger' | 'sealer' | 'store'>): Feature {
  const leased = underLease({ leases: store.leases, clock, logger });
  return { start: () => startKeyRotation({ rotate: () => sealer.rotate(), underLease: leased, logger }) };
}
