import {
  accessTokenAdministration,
  accountLinkAdministration,
  accountRecordAdministration,
  administrationStatistics,
  adminRoutes,
  auditLog,
  authenticatorAdministration,
  type BootstrapReport,
  bootstrap,
  brandingAdministration,
  clientAdministration,
  clientHostAdministration,
  configurationAdministration,
  confirmationAdministration,
  driftReader,
  factorAdministration,
  grantAdministration,
  type Health,
  identityProviderAdministration,
  initialTokenAdministration,
  invitationAdministration,
  keyAdministration,
  lint,
  loginSessionAdministration,
  logoutDeliveryAdministration,
  type OpenApiDocument,
  openApiDocument,
  requestErrorAdministration,
  resourceOwnerAdministration,
  resourceServerAdministration,
  rightAdministration,
  type Statistics,
  sealingKeyAdministration,
  testLogins,
  toolAdministration,
  totalsOf,
  useByOthers,
} from '@watchword/administration';
import {
  type AuditEvent,
  accountIdentityProvider,
  administrationRedirectUri,
  redirectUriProblem,
} from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import { authenticatorModules } from '../core/modules/stored-authenticators.ts';
import { administrationRoutes } from '../http/administration.ts';
import { invitationPath } from '../http/browser/invitation.ts';
import { resetLinkPath } from '../http/browser/password.ts';
import { pageTextsOf } from '../pages/page-texts.ts';
import { auditLine } from '../runtime/log/audit-line.ts';
import { askedNodes } from '../runtime/nodes/asked-nodes.ts';
import { type Gathered, gathered } from '../runtime/nodes/gathered.ts';
import { healthReader } from '../runtime/nodes/health.ts';
import { backgroundWorkReader } from '../runtime/work/background-work.ts';
import { version } from '../version.ts';
import type { Feature } from './feature.ts';

type Parts = Pick<
  Core,
  | 'accessTokenFormats'
  | 'algorithms'
  | 'authentication'
  | 'clock'
  | 'baseUrl'
  | 'configuration'
  | 'dpopProofs'
  | 'factorSecrets'
  | 'identityProviders'
  | 'instruments'
  | 'flushCounts'
  | 'logger'
  | 'metrics'
  | 'modules'
  | 'pageAnswers'
  | 'pages'
  | 'place'
  | 'placesOf'
  | 'prefix'
  | 'random'
  | 'registration'
  | 'requests'
  | 'profile'
  | 'relyingParty'
  | 'requestErrors'
  | 'scopeSyntax'
  | 'sealer'
  | 'settings'
  | 'operatorIssuers'
  | 'sectorIdentifiers'
  | 'sendMail'
  | 'signing'
  | 'store'
  | 'stored'
  | 'subjectSecret'
>;

/** The administration interface. Its own records are registered when it starts. */
export function administration(parts: Parts): Feature {
  const { baseUrl, modules, pageAnswers, prefix, store, stored } = parts;
  const deps = dependenciesOf(parts);
  const statistics = administrationStatistics(deps);
  const routes = adminRoutes({
    ...deps,
    totals: totalsOf(store.registry),
    resourceServers: resourceServerAdministration(deps),
    useByOthers: useByOthers(deps),
    clients: clientAdministration(deps),
    accessTokens: accessTokenAdministration(deps),
    grants: grantAdministration(deps),
    accountRecords: accountRecordAdministration(deps),
    accountLinkAdministration: accountLinkAdministration(deps),
    accountImports: { ...deps, secrets: parts.factorSecrets },
    resetLinkUrl: (value) => `${baseUrl}${resetLinkPath(value)}`,
    invitations: invitationAdministration(deps),
    configurationAdministration: configurationAdministration(deps),
    confirmations: confirmationAdministration(deps),
    factorAdministration: factorAdministration(deps),
    invitationUrl: (value) => `${baseUrl}${invitationPath(value)}`,
    resourceOwners: resourceOwnerAdministration(deps),
    identityProviderAdministration: identityProviderAdministration(deps),
    rightAdministration: rightAdministration(deps),
    authenticatorAdministration: authenticatorAdministration({
      ...deps,
      testLogins: testLogins(deps),
      authenticatorModules: authenticatorModules(modules.configured, stored, modules.authenticators, baseUrl),
    }),
    loginSessionAdministration: loginSessionAdministration(deps),
    lint: lint({ ...store, profiledSettings: parts.configuration }),
    logoutDeliveryAdministration: logoutDeliveryAdministration(deps),
    signingKeyAdministration: keyAdministration(deps),
    sealingKeyAdministration: sealingKeyAdministration(deps),
    brandingAdministration: brandingAdministration(deps),
    pageTexts: pageTextsOf(
      () => parts.pages,
      () => givenSettings(parts),
    ),
    requestErrorAdministration: requestErrorAdministration(deps),
    auditLog: auditLog(deps),
    ...openClients(deps, statistics),
    statistics,
  });
  // Made at the first request, because most servers never need it.
  let document: OpenApiDocument | undefined;
  const openApi = () => {
    document ??= openApiDocument(routes, baseUrl, version);
    return document;
  };
  return {
    endpoints: administrationRoutes({
      ...deps,
      routes,
      pages: pageAnswers,
      prefix,
      requests: parts.requests,
      openApi,
    }),
    // An administrator who is sent to another node must find what was just changed there.
    records: 'newest',
    async start() {
      const usesImplicit = deps.profile?.takesResponseType('token') !== false;
      reportBootstrap(await bootstrap(baseUrl, deps, usesImplicit), parts);
      return undefined;
    },
  };
}

/** Clients that belong to no resource server. */
function openClients(deps: ReturnType<typeof dependenciesOf>, statistics: Pick<Statistics, 'accessTo'>) {
  return {
    clientHosts: clientHostAdministration(deps),
    tools: toolAdministration({ ...deps, accessTo: (clients) => statistics.accessTo(clients) }),
    initialTokenAdministration: initialTokenAdministration(deps),
  };
}

/** The settings that are no defaults. */
function givenSettings({ settings }: Parts): readonly string[] {
  return settings()
    .filter(({ origin }) => origin !== 'default')
    .map(({ name }) => name);
}

function dependenciesOf(parts: Parts) {
  const { algorithms, authentication, configuration, identityProviders, instruments } = parts;
  const { flushCounts, logger, modules, operatorIssuers, random, registration } = parts;
  const { profile, scopeSyntax, sealer, sectorIdentifiers, sendMail, store } = parts;
  const { registry } = store;
  const hasLocalLogin = modules.authenticators.has(accountIdentityProvider);
  // Over a file, no other node is there to be asked.
  const findElsewhere = store.primary === undefined ? async () => undefined : askedNodes(parts);
  const counts = gathered(parts.place.siblings, { ...parts, findElsewhere });
  return {
    ...store,
    ...authentication,
    accessTokenFormats: parts.accessTokenFormats,
    dpopProofs: parts.dpopProofs,
    adoptKey: parts.signing.adopt,
    algorithms,
    audited(event: AuditEvent) {
      logger.info({ audit: auditLine(event) }, 'changed a record');
      parts.metrics.countFactorEvent(event);
    },
    hasLocalLogin,
    hasPasskeys: parts.relyingParty !== undefined,
    accountRegistration: hasLocalLogin ? configuration.registration : ('off' as const),
    subjectSecret: parts.subjectSecret,
    freshLogin: configuration['administration.freshLogin'],
    flushCounts,
    custody: parts.signing.custody,
    documentHosts: configuration['clients.metadataDocuments'],
    identityProviders,
    instruments,
    ownerLimits: {
      person: {
        records: configuration['ownerLimits.records'],
        changesPerMinute: configuration['ownerLimits.changesPerMinute'],
      },
      client: {
        records: configuration['ownerLimits.clientRecords'],
        changesPerMinute: configuration['ownerLimits.clientChangesPerMinute'],
      },
    },
    registered: {
      clients: { findById: async (id: number) => registry.clientById(id) },
      resourceServers: { findById: async (id: number) => registry.resourceServerById(id) },
    },
    operatorIssuers,
    random,
    recentRequestErrors: counts.requestErrors,
    // What is stored is not undone. If this fails, this process learns of it as all others do.
    refresh: () => store.refreshRegistry().catch(() => {}),
    registration,
    errors: () => counts.errors(),
    health: healthOf(parts, counts),
    profile,
    scopeSyntax,
    sealer,
    settings: parts.settings,
    openSealer: async () => sealer,
    openSendMail: sendMail && (async () => sendMail),
    invitationPath,
    placesOf: parts.placesOf,
    sectorIdentifiers,
    sessionIdleLifetime: configuration['session.idleLifetime'],
  };
}

function healthOf(
  { clock, configuration, modules, signing, store }: Parts,
  { failedLogins }: Gathered,
): () => Promise<Health> {
  return healthReader({
    store,
    clock,
    work: backgroundWorkReader({
      leases: store.leases,
      clock,
      purgeInterval: configuration['purge.interval'],
    }),
    failedLogins,
    authenticators: () =>
      [...modules.authenticators.values()].map((authenticator) => ({
        name: authenticator.name,
        problems: authenticator.problems?.() ?? [],
      })),
    signingProblems: () => signing.problems(),
    drift: driftReader(store),
    registry: store.registry,
  });
}

function reportBootstrap(
  { created, redirectUri }: BootstrapReport,
  { baseUrl, logger }: Pick<Core, 'baseUrl' | 'logger'>,
): void {
  if (created.length > 0) logger.info({ created }, 'registered the administration interface');
  if (redirectUri !== undefined)
    logger.info({ redirectUri }, 'changed the redirect URI of the administration pages');
  if (redirectUriProblem(administrationRedirectUri(baseUrl)) !== undefined) {
    logger.warn(
      { baseUrl },
      'the administration pages need an https base URL: browsers cannot log in to them over this one',
    );
  }
}
