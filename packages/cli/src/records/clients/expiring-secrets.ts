import { everyRecord } from '@watchword/administration';
import { expiresSoon, secretsEnd } from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';

/** Clients whose last secret has expired, or soon does, each in words. */
export async function* expiringSecrets({ clients, clock }: Store): AsyncGenerator<string, void> {
  const now = clock.now();
  for await (const client of everyRecord((page) => clients.list(page))) {
    const end = secretsEnd(client);
    if (end === 0 || end > now + expiresSoon) continue;
    const verb = end > now ? 'expires' : 'expired';
    yield `the last secret of ${client.clientId} ${verb} on ${new Date(end).toISOString()}`;
  }
}
