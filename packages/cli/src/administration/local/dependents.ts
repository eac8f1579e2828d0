import { everyRecord } from '@watchword/administration';
import type { Client } from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import type { Dependents } from '../dependents.ts';

type CountedStore = Pick<Store, 'clients' | 'clock' | 'statistics'>;

// The count warns before a deletion. A larger number would not make the warning clearer, and would take longer.
const mostTokens = 10_000;

/** Clients of the resource server, and their active tokens. */
export async function dependentsOfResourceServer(
  store: CountedStore,
  resourceServerId: number,
): Promise<Dependents> {
  let [clients, tokens] = [0, 0];
  for await (const client of everyRecord((page) => store.clients.list({ resourceServerId, ...page }))) {
    clients += 1;
    if (tokens < mostTokens) tokens += await countTokens(store, client);
  }
  return { clients, tokens, isLeast: tokens >= mostTokens };
}

/** Active tokens of the client. */
export async function dependentsOfClient(store: CountedStore, client: Client): Promise<Dependents> {
  const tokens = await countTokens(store, client);
  return { tokens, isLeast: tokens >= mostTokens };
}

async function countTokens({ clock, statistics }: CountedStore, client: Client): Promise<number> {
  return (await statistics.countOf(client, clock.now(), mostTokens)).tokens;
}
