import {
  type AccountImportRouteDependencies,
  accessTokenAdministration,
  accountLinkAdministration,
  accountRecordAdministration,
  administrationStatistics,
  auditLog,
  authenticatorAdministration,
  brandingAdministration,
  type ClientHostDependencies,
  type ConfigurationDependencies,
  clientAdministration,
  clientHostAdministration,
  commandLineCaller,
  configurationAdministration,
  confirmationAdministration,
  type ForeignKey,
  factorAdministration,
  grantAdministration,
  identityProviderAdministration,
  initialTokenAdministration,
  invitationAdministration,
  type KeyAdministration,
  keyAdministration,
  loginSessionAdministration,
  logoutDeliveryAdministration,
  requestErrorAdministration,
  resourceOwnerAdministration,
  resourceServerAdministration,
  rightAdministration,
  sealingKeyAdministration,
  type ToolDependencies,
  testLogins,
  toolAdministration,
  useByOthers,
} from '@watchword/administration';
import { accessTokenFormats, KeyRing, publicSubjectFrom, type TokenSigner } from '@watchword/protocol';
import { effectiveSettings } from '@watchword/server/config/effective-settings';
import type { Configuration } from '@watchword/server/config/settings';
import { registrationRulesOf } from '@watchword/server/core/clients/registration-rules';
import { composeUserClaims, subjectAttributeOf } from '@watchword/server/core/openid';
import { composePages } from '@watchword/server/core/pages';
import { openSendMailOf } from '@watchword/server/core/people/mailing';
import { composeSigning, keyHolders, type SigningStore } from '@watchword/server/core/signing';
import { invitationPath } from '@watchword/server/http/browser/invitation';
import { pageTextsOf } from '@watchword/server/pages/page-texts';
import type { Signing } from '@watchword/server/signing/signing';
import { systemRandom } from '@watchword/server/system';
import type { Store } from '@watchword/store-sql';
import { secretsOf } from './account-secrets.ts';
import { localAuthenticatorModules } from './authenticator-modules.ts';

/** What only a running server has. */
const outsideOfServers = {
  recentRequestErrors: { list: async () => [], find: async () => undefined, dropped: async () => 0 },
  errors: async () => [],
  health: async () => undefined,
  // Servers read what a command has changed by themselves.
  refresh: async () => {},
  flushCounts: async () => {},
  instruments: {
    tokenIssued: () => {},
    idTokenIssued: () => {},
    loggedIn: () => {},
    factorPresented: () => {},
  },
};

/** The records of a database, with the rules of administration, for the user of the command line. */
export async function localRecords(store: Store, username: string, configuration: Configuration) {
  const [signing, random] = [localSigning(store, configuration), systemRandom];
  const deps = {
    ...store,
    random,
    ...registrationRulesOf(configuration),
    ...localMail(store, configuration),
    accessTokenFormats: accessTokenFormats({
      ...store,
      clients: { findById: store.clients.findById, findByClientId: store.clients.find },
      issuer: configuration.baseUrl,
      random: systemRandom,
      signer: localSigner(signing, configuration),
      userClaims: composeUserClaims(configuration),
      publicSubject: publicSubjectFrom(subjectAttributeOf(configuration)),
      // A running server warns of its tokens in the log.
      nearsLongest: () => {},
    }),
    registered: store,
    subjectSecret: await store.subjectKey.read(),
    hasLocalLogin: true,
    documentHosts: configuration['clients.metadataDocuments'],
    accountRegistration: configuration.registration,
    sessionIdleLifetime: configuration['session.idleLifetime'],
    ...outsideOfServers,
  };
  return {
    store,
    caller: commandLineCaller(username),
    ...registeredRecords(deps),
    accessTokens: accessTokenAdministration(deps),
    grants: grantAdministration(deps),
    requestErrorAdministration: requestErrorAdministration(deps),
    ...people(deps, configuration),
    resourceOwners: resourceOwnerAdministration(deps),
    registration: deps.registration,
    accountRegistration: deps.accountRegistration,
    // The database does not contain the identity providers of the configuration.
    identityProviderAdministration: identityProviderAdministration(deps),
    authenticatorAdministration: authenticatorAdministration({
      ...{ ...deps, testLogins: testLogins({ ...store, random }) },
      authenticatorModules: localAuthenticatorModules(store, configuration, signing),
    }),
    logoutDeliveryAdministration: logoutDeliveryAdministration(deps),
    loginSessionAdministration: loginSessionAdministration(deps),
    ...usedRecords(deps),
    auditLog: auditLog(deps),
    rightAdministration: rightAdministration(deps),
    sealingKeyAdministration: sealingKeyAdministration(deps),
    brandingAdministration: brandingAdministration(deps),
    pageTexts: localPageTexts(configuration),
    signingKeyAdministration: localKeys(signing, {
      ...deps,
      algorithms: configuration['signing.algorithms'],
    }),
    adoptKey: async (key: ForeignKey) => (await signing()).adopt(key),
    clock: store.clock,
    // A command says with "watchword config" where its settings came from.
    settings: () => effectiveSettings(configuration, {}),
  };
}

/** Local accounts, and what belongs to people. */
function people(
  deps: Parameters<typeof accountRecordAdministration>[0] &
    Parameters<typeof accountLinkAdministration>[0] &
    Parameters<typeof invitationAdministration>[0] &
    Parameters<typeof confirmationAdministration>[0] &
    Parameters<typeof factorAdministration>[0] &
    Pick<Store, 'signingKeys'>,
  configuration: Configuration,
) {
  const ofImport: AccountImportRouteDependencies = {
    accountImports: { ...deps, secrets: secretsOf(deps, configuration) },
  };
  return {
    ...ofImport,
    accountRecords: accountRecordAdministration(deps),
    accountLinkAdministration: accountLinkAdministration(deps),
    invitations: invitationAdministration(deps),
    confirmations: confirmationAdministration(deps),
    factorAdministration: factorAdministration(deps),
  };
}

/** Resource servers and clients. */
function registeredRecords(deps: ConfigurationDependencies) {
  return {
    resourceServers: resourceServerAdministration(deps),
    useByOthers: useByOthers(deps),
    clients: clientAdministration(deps),
    configurationAdministration: configurationAdministration(deps),
  };
}

/** What counts the use of clients, and clients that nobody registers. */
function usedRecords(
  deps: Parameters<typeof administrationStatistics>[0] &
    ClientHostDependencies &
    Omit<ToolDependencies, 'accessTo'> &
    Parameters<typeof initialTokenAdministration>[0],
) {
  const statistics = administrationStatistics(deps);
  const tools = toolAdministration({ ...deps, accessTo: (clients) => statistics.accessTo(clients) });
  return {
    ...{ statistics, tools, clientHosts: clientHostAdministration(deps) },
    initialTokenAdministration: initialTokenAdministration(deps),
  };
}

/** What commands mail. They open the sealing keys only for what needs them. */
function localMail(store: Store, configuration: Configuration) {
  const parts = { clock: store.clock, random: systemRandom };
  const openSealer = () => KeyRing.open({ ...store, random: systemRandom });
  return { openSealer, openSendMail: openSendMailOf(configuration, openSealer, parts), invitationPath };
}

/** Pages are made only for what needs them. Which settings come before the branding is known to a server alone. */
function localPageTexts(configuration: Configuration) {
  return pageTextsOf(
    () => composePages({ configuration, logger: { error() {} } }, []),
    () => [],
  );
}

export type LocalRecords = Awaited<ReturnType<typeof localRecords>>;

type OpenSigning = () => Promise<Signing>;

/** The keys of the server. They are read only for what needs them: most commands do not need the key that seals them. */
function localSigning(store: Store, configuration: Configuration): OpenSigning {
  let opened: Promise<Signing> | undefined;
  return () => {
    opened ??= open(store, configuration);
    return opened;
  };
}

function localSigner(signing: OpenSigning, configuration: Configuration): TokenSigner {
  return {
    algorithms: configuration['signing.algorithms'],
    sign: async (claims, options) => (await signing()).signer.sign(claims, options),
    verify: async (text, options) => (await signing()).signer.verify(text, options),
  };
}

function localKeys(
  signing: OpenSigning,
  deps: Omit<Parameters<typeof keyAdministration>[0], 'custody'>,
): KeyAdministration {
  const keys = async () => keyAdministration({ ...deps, custody: (await signing()).custody });
  return {
    list: async (caller) => (await keys()).list(caller),
    rotate: async (...given) => (await keys()).rotate(...given),
    add: async (...given) => (await keys()).add(...given),
    retire: async (...given) => (await keys()).retire(...given),
    endCompromised: async (...given) => (await keys()).endCompromised(...given),
  };
}

async function open(store: Store, configuration: Configuration): Promise<Signing> {
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
  return composeSigning(configuration, holders, alone, systemRandom);
}
