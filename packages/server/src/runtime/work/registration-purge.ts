import type { Logger } from '../log/logger.ts';
import type { UnderLease } from './lease.ts';

// Seconds.
export const registrationPurgeInterval = 3600;

export interface RegistrationPurgeDependencies {
  /** @returns how many clients were deleted */
  readonly purge: (signal: AbortSignal) => Promise<number>;
  readonly underLease: UnderLease;
  readonly logger: Logger;
}

/** Deletes clients that registered themselves and are not used, once an hour. The returned function stops that. */
export function startRegistrationPurge({
  purge,
  underLease,
  logger,
}: RegistrationPurgeDependencies): () => Promise<void> {
  const stop = new AbortController();
  let underWay: Promise<void> = Promise.resolve();
  const run = (lost: AbortSignal) =>
    purge(AbortSignal.any([stop.signal, lost])).then((clients) => {
      if (clients > 0)
        logger.info({ clients }, 'deleted clients that registered themselves and were not used');
    });
  const timer = setInterval(() => {
    underWay = underLease('client-registrations', run).then(
      () => {},
      (error: unknown) =>
        logger.error(
          { err: error },
          'clients that registered themselves and are not used could not be deleted; the server tries again in an hour',
        ),
    );
  }, registrationPurgeInterval * 1000).unref();
  return () => {
    stop.abort();
    clearInterval(timer);
    return underWay;
  };
}
