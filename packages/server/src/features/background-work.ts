import type { Core } from '../core.ts';
import { startKeyRotation } from '../runtime/key-rotation.ts';
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
  return { start: () => startPurging({ store, clock, logger, metrics }, retention) };
}

/** Stores the counts of issued tokens. */
export function issuedCounts({ issuedCounts, logger }: Pick<Core, 'issuedCounts' | 'logger'>): Feature {
  return { start: () => issuedCounts.start(logger) };
}

/** Rotates the sealing keys. */
export function keyRotation({ logger, sealer }: Pick<Core, 'logger' | 'sealer'>): Feature {
  return { start: () => startKeyRotation(() => sealer.rotate(), logger) };
}
