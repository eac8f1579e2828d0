import type { AuthenticatorHealth, BackgroundWork, FailedLogins, Health } from '@watchword/administration';
import type { Clock } from '@watchword/protocol';
import type { ServerStore } from '@watchword/store-sql';

export interface HealthDependencies {
  readonly store: Pick<ServerStore, 'size' | 'free' | 'check'>;
  readonly clock: Clock;
  work(): Promise<readonly BackgroundWork[]>;
  failedLogins(): Promise<FailedLogins>;
  authenticators(): readonly AuthenticatorHealth[];
}

/** Reads the health of the server. Each part is cheap. A database that cannot be written is a problem in the answer, not an error. */
export function healthReader({
  store,
  clock,
  work,
  failedLogins,
  authenticators,
}: HealthDependencies): () => Promise<Health> {
  const startDate = clock.now();
  return async () => {
    const [size, free, problem, works] = await Promise.all([
      store.size(),
      store.free().catch(() => undefined),
      problemOf(store),
      work(),
    ]);
    return {
      startDate,
      database: { size, free, problem },
      work: works,
      failedLogins: await failedLogins(),
      authenticators: authenticators(),
    };
  };
}

async function problemOf(store: Pick<ServerStore, 'check'>): Promise<string | undefined> {
  try {
    await store.check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
