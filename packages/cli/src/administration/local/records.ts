import {
  accessTokenAdministration,
  accountRecordAdministration,
  administrationStatistics,
  auditLog,
  clientAdministration,
  commandLineCaller,
  grantAdministration,
  identityProviderAdministration,
  loginSessionAdministration,
  logoutDeliveryAdministration,
  requestErrorAdministration,
  resourceOwnerAdministration,
  resourceServerAdministration,
} from '@watchword/administration';
import { accessTokenFormats, KeyRing, publicSubjectFrom } from '@watchword/protocol';
import type { Configuration } from '@watchword/server/config/settings';
import { composeUserClaims, subjectAttributeOf } from '@watchword/server/core/openid';
import { registrationRulesOf } from '@watchword/server/core/registration-rules';
import { systemRandom } from '@watchword/server/system';
import type { Store } from '@watchword/store-sql';
import { localSigner } from './signer.ts';

/** The records of a database, with the rules of administration, for the user of the command line. */
export async function localRecords(store: Store, username: string, configuration: Configuration) {
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
    subjectSecret: await store.subjectKey.read(),
    hasLocalLogin: true,
    sessionIdleLifetime: configuration['session.idleLifetime'],
    // Only a running server has errors in memory.
    recentRequestErrors: { list: async () => [], find: async () => undefined, dropped: async () => 0 },
    // Neither is known outside of a server.
    errors: async () => [],
    health: async () => undefined,
    flushCounts: async () => {},
    instruments: { tokenIssued: () => {}, idTokenIssued: () => {}, loggedIn: () => {} },
  };
  return {
    store,
    caller: commandLineCaller(username),
    resourceServers: resourceServerAdministration(deps),
    clients: clientAdministration(deps),
    accessTokens: accessTokenAdministration(deps),
    grants: grantAdministration(deps),
    requestErrorAdministration: requestErrorAdministration(deps),
    accountRecords: accountRecordAdministration(deps),
    resourceOwners: resourceOwnerAdministration(deps),
    registration: deps.registration,
    // The database does not contain the identity providers of the configuration.
    identityProviderAdministration: identityProviderAdministration(deps),
    logoutDeliveryAdministration: logoutDeliveryAdministration(deps),
    loginSessionAdministration: loginSessionAdministration(deps),
    statistics: administrationStatistics(deps),
    auditLog: auditLog(deps),
  };
}

export type LocalRecords = Awaited<ReturnType<typeof localRecords>>;
