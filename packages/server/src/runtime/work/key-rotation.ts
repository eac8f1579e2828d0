import type { Logger } from '../log/logger.ts';
import type { UnderLease } from './lease.ts';

// Seconds. A new key is due once a day. With a shorter interval a restarted node rotates keys again soon.
export const keyRotationInterval = 3600;
// Seconds. A key for JWTs is due after days.
export const keyMaintenanceInterval = 3600;
// Seconds. A node seals with a new key five minutes after another node has made it.
const keyReadInterval = 60;

export interface KeyRotationDependencies {
  /** Reads the keys. */
  readonly read: () => Promise<void>;
  /** Reads the keys, and makes a new key if it is due. */
  readonly rotate: () => Promise<void>;
  readonly underLease: UnderLease;
  readonly logger: Logger;
}

/**
 * Rotates the sealing keys when they are due, and reads those of other nodes, until the returned function is called. If two
 * nodes find that a key is due at the same time, one makes it and the other reads it.
 */
export function startKeyRotation({ read, rotate, underLease, logger }: KeyRotationDependencies): () => void {
  const reading = repeat(keyReadInterval, read, (error) => {
    logger.warn({ err: error }, 'the sealing keys could not be read; the server tries again in a minute');
  });
  const rotation = repeat(
    keyRotationInterval,
    () => underLease('key-rotation', rotate),
    (error) => {
      logger.error(
        { err: error },
        'the sealing keys could not be rotated; the server continues with the current key and tries again in an hour',
      );
    },
  );
  return () => {
    clearInterval(reading);
    clearInterval(rotation);
  };
}

/** @param seconds between two runs */
function repeat(
  seconds: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): NodeJS.Timeout {
  return setInterval(() => void work().catch(onError), seconds * 1000).unref();
}
