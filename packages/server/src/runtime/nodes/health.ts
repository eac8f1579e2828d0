import type {
  AuthenticatorHealth,
  BackgroundWork,
  ConfigurationDrift,
  FailedLogins,
  Health,
} from '@watchword/administration';
import type { Clock, Registry } from '@watchword/protocol';
import type { ServerStore } from '@watchword/store-sql';
import { expiringSecrets } from './expiring-secrets.ts';

export interface HealthDependencies {
  readonly store: Pick<ServerStore, 'size' | 'free' | 'check'>;
  readonly clock: Clock;
  work(): Promise<readonly BackgroundWork[]>;
  failedLogins(): Promise<FailedLogins>;
  authenticators(): readonly AuthenticatorHealth[];
  signingProblems(): readonly string[];
  drift(): Promise<readonly ConfigurationDrift[]>;
  readonly registry: Pick<Registry, 'unconfirmedClients' | 'expiringClients' | 'clientById'>;
}

/** Reads the health of the server. Each part is cheap. A database that cannot be written is a problem in the answer, not an error. */
export function healthReader({
  store,
  clock,
  work,
  failedLogins,
  authenticators,
  signingProblems,
  drift,
  registry,
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
      signingProblems: signingProblems(),
      drifted: (await drift()).filter(({ records, isRestored }) => records > 0 || isRestored),
      unconfirmedClients: unconfirmedIn(registry),
      expiringSecrets: expiringIn(registry, clock),
    };
  };
}

function unconfirmedIn(registry: HealthDependencies['registry']): Health['unconfirmedClients'] {
  const ids = registry.unconfirmedClients();
  const [id] = ids;
  return { count: ids.size, first: id === undefined ? undefined : registry.clientById(id) };
}

function expiringIn(registry: HealthDependencies['registry'], clock: Clock): Health['expiringSecrets'] {
  const { expired, soon } = expiringSecrets(registry, clock.now());
  return { count: expired.length + soon.length, first: expired[0] ?? soon[0] };
}

async function problemOf(store: Pick<ServerStore, 'check'>): Promise<string | undefined> {
  try {
    await store.check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
