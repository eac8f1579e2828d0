import { accountIdentityProvider, subjectOf } from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import type { Translation } from './translation.ts';

/** The new ids of what is here now, by the old ones. */
export async function mappingOf({ notes }: Translation, store: Store): Promise<Record<string, unknown>> {
  const secret = await store.subjectKey.read();
  const mapping = { resourceServers: [] as object[], clients: [] as object[], accounts: [] as object[] };
  for (const { kind, oldId, name } of notes) {
    if (name === undefined) continue;
    if (kind === 'account') {
      const account = await store.accounts.find(name);
      if (account === undefined) continue;
      const identified = { identityProvider: accountIdentityProvider, stableId: account.id, name };
      mapping.accounts.push({ oldId, username: name, sub: subjectOf(secret, identified) });
    } else if (kind === 'client') {
      const client = await store.clients.find(name);
      if (client !== undefined) mapping.clients.push({ oldId, clientId: name, id: client.id });
    } else {
      const resourceServer = await store.resourceServers.find(name);
      if (resourceServer !== undefined)
        mapping.resourceServers.push({ oldId, key: name, id: resourceServer.id });
    }
  }
  return mapping;
}
