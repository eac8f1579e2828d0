import { type Client, expiresSoon, type Registry, secretsEnd } from '@watchword/protocol';

/** Clients that cannot authenticate any more, or soon, because all of their secrets expire. */
export interface ExpiringSecrets {
  readonly expired: readonly Client[];
  readonly soon: readonly Client[];
}

export function expiringSecrets(
  registry: Pick<Registry, 'clientById' | 'expiringClients'>,
  now: number,
): ExpiringSecrets {
  const clients = [...registry.expiringClients()].flatMap((id) => registry.clientById(id) ?? []);
  const inOrder = clients.toSorted((a, b) => secretsEnd(a) - secretsEnd(b));
  return {
    expired: inOrder.filter((client) => secretsEnd(client) <= now),
    soon: inOrder.filter((client) => secretsEnd(client) > now && secretsEnd(client) <= now + expiresSoon),
  };
}
