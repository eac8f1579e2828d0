import type { Logger } from './logger.ts';

// A key is due once a day; asking more often lets a node that was off take part soon.
const intervalMs = 3_600_000;

/** Has the sealing keys rotated when they are due, until the returned function is called. */
export function startKeyRotation(rotate: () => Promise<void>, logger: Logger): () => void {
  const timer = setInterval(() => {
    rotate().catch((error: unknown) => {
      logger.error({ err: error }, 'the sealing keys could not be rotated; the old one serves on');
    });
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
