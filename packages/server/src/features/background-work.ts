import type { Core } from '../core.ts';
import { startKeyRotation } from '../runtime/key-rotation.ts';
import { type UnderLease, underLease } from '../runtime/lease.ts';
import { startPurging } from '../runtime/purging.ts';
import type { Feature } from './feature.ts';

/** Keeps the records in memory up to date with other processes that change the database. */
export function registryWatch({ logger, store }: Pick<Core, 'logger' | 'store'>): Feature {
  return {
    start() {
      store.watchRegistry((error) => logger.error({ err: error }, 'changes of clients could not be read'));
      // The store ends that when it closes.
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
  return {
    start: () =>
      startPurging(
        { store, underLease: leased({ clock, logger, store }), clock, logger, metrics },
        retention,
      ),
  };
}

/** Stores the counts of issued tokens. */
export function issuedCounts({ issuedCounts, ...core }: LeaseParts & Pick<Core, 'issuedCounts'>): Feature {
  return { start: () => issuedCounts.start(leased(core), core.logger) };
}

/** Rotates the sealing keys. */
export function keyRotation({ sealer, ...core }: LeaseParts & Pick<Core, 'sealer'>): Feature {
  const { logger } = core;
  return {
    start: () => startKeyRotation({ rotate: () => sealer.rotate(), underLease: leased(core), logger }),
  };
}

type LeaseParts = Pick<Core, 'clock' | 'logger' | 'store'>;

/** Of all nodes on a database, one does a background work at a time. */
function leased({ clock, logger, store: { leases } }: LeaseParts): UnderLease {
  return underLease({ leases, clock, logger });
}
