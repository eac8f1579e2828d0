import type { UnderLease } from './lease.ts';
import type { Logger } from './logger.ts';

// A key is due once a day; asking more often lets a node that was off take part soon.
const intervalMs = 3_600_000;

export interface KeyRotationDependencies {
  /** Reads the keys, and makes a new one when it is due. */
  readonly rotate: () => Promise<void>;
  readonly underLease: UnderLease;
  readonly logger: Logger;
}

/**
 * Has the sealing keys rotated when they are due, until the returned function is called. Of two nodes that find a key due
 * at once, one makes it and the other reads it.
 */
export function startKeyRotation({ rotate, underLease, logger }: KeyRotationDependencies): () => void {
  const timer = setInterval(() => {
    underLease('key-rotation', rotate).catch((error: unknown) => {
      logger.error({ err: error }, 'the sealing keys could not be rotated; the current key is used on');
    });
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
