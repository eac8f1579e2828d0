import {
  accessTokenAdministration,
  accessTokenFormats,
  auditLog,
  type Client,
  clientAdministration,
  commandLineCaller,
  grantAdministration,
  identityProviderAdministration,
  KeyRing,
  loginSessionAdministration,
  logoutDeliveryAdministration,
  publicSubjectFrom,
  type ResourceServer,
  requestErrorAdministration,
  resourceServerAdministration,
} from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import type { Configuration } from '../../config/settings.ts';
import { composeUserClaims, subjectAttributeOf } from '../../core/openid.ts';
import { registrationRulesOf } from '../../core/registration-rules.ts';
import { systemRandom } from '../../system.ts';
import { noClient, noResourceServer } from '../not-found.ts';
import { localSigner } from './signer.ts';

/** The records of a database, with the rules of administration, for the user of the command line. */
export function localRecords(store: Store, username: string, configuration: Configuration) {
  const deps = {
    ...store,
    random: systemRandom,
    ...registrationRulesOf(configuration),
    openSealer: () => KeyRing.open({ ...store, random: systemRandom }),
    accessTokenFormats: accessTokenFormats({
      ...store,
      clients: { findById: store.clients.findById, findByClientId: store.clients.find },
      issuer: configuration.baseUrl,
      random: systemRandom,
      signer: localSigner(store, configuration),
      userClaims: composeUserClaims(configuration),
      publicSubject: publicSubjectFrom(subjectAttributeOf(configuration)),
      // A running server warns of its tokens in the log.
      nearsLongest: () => {},
    }),
    registered: store,
    sessionIdleLifetime: configuration['session.idleLifetime'],
    // Only a running server has errors in memory.
    recentRequestErrors: { list: async () => [], find: async () => undefined, dropped: async () => 0 },
    instruments: { tokenIssued: () => {}, idTokenIssued: () => {}, loggedIn: () => {} },
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
    loginSessions: loginSessionAdministration(deps),
    auditLog: auditLog(deps),
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
  throw noResourceServer(key);
}

/** @throws OAuthError `not_found` */
export async function existingClient({ clients }: Pick<Store, 'clients'>, clientId: string): Promise<Client> {
  const found = await clients.find(clientId);
  if (found !== undefined) return found;
  throw noClient(clientId);
}
