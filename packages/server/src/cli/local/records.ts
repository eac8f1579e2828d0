import {
  accessTokenAdministration,
  type Client,
  clientAdministration,
  commandLineCaller,
  grantAdministration,
  identityProviderAdministration,
  logoutDeliveryAdministration,
  type ResourceServer,
  requestErrorAdministration,
  resourceServerAdministration,
} from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import type { RegistrationRules } from '../../core/registration-rules.ts';
import { systemRandom } from '../../system.ts';
import { noClient, noResourceServer } from '../not-found.ts';

/** The records of a database, with the rules of administration, for the user of the command line. */
export function localRecords(store: Store, username: string, rules: RegistrationRules) {
  const deps = {
    ...store,
    random: systemRandom,
    ...rules,
    registered: store,
    // Only a running server has errors in memory.
    recentRequestErrors: { list: async () => [], dropped: async () => 0 },
    instruments: { tokenIssued: () => {}, loggedIn: () => {} },
  };
  return {
    store,
    caller: commandLineCaller(username),
    resourceServers: resourceServerAdministration(deps),
    clients: clientAdministration(deps),
    accessTokens: accessTokenAdministration(deps),
    grants: grantAdministration(deps),
    requestErrors: requestErrorAdministration(deps),
    identityProviders: identityProviderAdministration(deps),
    logoutDeliveries: logoutDeliveryAdministration(deps),
  };
}

export type LocalRecords = ReturnType<typeof localRecords>;

/** @throws OAuthError `not_found` */
export async function existingResourceServer(
  { resourceServers }: Pick<Store, 'resourceServers'>,
  key: string,
): Promise<ResourceServer> {
  const found = await resourceServers.find(key);
  if (found !== undefined) return found;
  throw noResourceServer();
}

/** @throws OAuthError `not_found` */
export async function existingClient({ clients }: Pick<Store, 'clients'>, clientId: string): Promise<Client> {
  const found = await clients.find(clientId);
  if (found !== undefined) return found;
  throw noClient();
}
