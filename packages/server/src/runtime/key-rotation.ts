import type { UnderLease } from './lease.ts';
import type { Logger } from './logger.ts';

// Seconds. A new key is due once a day. With a shorter interval a restarted node rotates keys again soon.
export const keyRotationInterval = 3600;

export interface KeyRotationDependencies {
  /** Reads the keys, and makes a new key if it is due. */
  readonly rotate: () => Promise<void>;
  readonly underLease: UnderLease;
  readonly logger: Logger;
}

/**
 * Rotates the sealing keys when they are due, until the returned function is called. If two nodes find that a key is due at
 * the same time, one makes it and the other reads it.
 */
export function startKeyRotation({ rotate, underLease, logger }: KeyRotationDependencies): () => void {
  const timer = setInterval(() => {
    underLease('key-rotation', rotate).catch((error: unknown) => {
      logger.error(
        { err: error },
        'the sealing keys could not be rotated; the server continues with the current key and tries again in an hour',
      );
    });
  }, keyRotationInterval * 1000);
  timer.unref();
  return () => clearInterval(timer);
}
