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
import { accessTokenFormats, KeyRing, publicSubjectFrom, type TokenSigner } from '@watchword/protocol';
import type { Configuration } from '@watchword/server/config/settings';
import { composeUserClaims, subjectAttributeOf } from '@watchword/server/core/openid';
import { registrationRulesOf } from '@watchword/server/core/registration-rules';
import { composeSigning, keyHolders, type SigningStore } from '@watchword/server/core/signing';
import { systemRandom } from '@watchword/server/system';
import type { Store } from '@watchword/store-sql';

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

/** The signer of the server. Its keys are read only for a JWT: a command without one does not need the key that seals them. */
function localSigner(store: Store, configuration: Configuration): TokenSigner {
  let opened: Promise<TokenSigner> | undefined;
  const signer = () => {
    opened ??= open(store, configuration);
    return opened;
  };
  return {
    algorithms: configuration['signing.algorithms'],
    sign: async (claims, options) => (await signer()).sign(claims, options),
    verify: async (text, options) => (await signer()).verify(text, options),
  };
}

async function open(store: Store, configuration: Configuration): Promise<TokenSigner> {
  // A command hears of no change. It reads the keys again after its own ones.
  let read = async () => {};
  const alone: SigningStore = {
    ...store,
    transact: async (work) => {
      const value = await store.transact(work);
      await read();
      return value;
    },
    followChanges(follower) {
      read = follower;
    },
    async refreshRegistry() {
      await read();
      return true;
    },
  };
  const holders = await keyHolders(configuration);
  return (await composeSigning(configuration, holders, alone, systemRandom)).signer;
}
