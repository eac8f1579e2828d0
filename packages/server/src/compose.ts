import {
  administrationRedirectUri,
  authorizationServerMetadata,
  type Client,
  clientAuthenticationMethods,
  grantTypesOf,
  introspectionEndpoint,
  KeyRing,
  OAuthError,
  redirectUriProblem,
  responseTypesOf,
  revocationEndpoint,
  tokenEndpoint,
  tokenInfoEndpoint,
} from '@watchword/protocol';
import { openSqliteServerStore, type ServerStore } from '@watchword/store-sql';
import { composeAdministration } from './compose-administration.ts';
import { composeAuthorization } from './compose-authorization.ts';
import { composeModuleCalls } from './compose-calls.ts';
import { composeConsole } from './compose-console.ts';
import { composeModules } from './compose-modules.ts';
import { composePages } from './compose-pages.ts';
import { passwordFactory } from './compose-password.ts';
import { composeServices } from './compose-services.ts';
import { defaultBaseUrl } from './config/load.ts';
import type { Configuration } from './config/settings.ts';
import { assetRoutes } from './http/assets.ts';
import { browserCookieJar } from './http/browser-cookies.ts';
import { callerRequests } from './http/credentialed-request.ts';
import type { Endpoint } from './http/endpoint.ts';
import { requestListener } from './http/exchange.ts';
import { operationRoutes } from './http/health.ts';
import { introspectionRoute } from './http/introspect.ts';
import { metadataRoutes } from './http/metadata.ts';
import { pageAnswers } from './http/page.ts';
import { Ports } from './http/ports.ts';
import { connectionRefusal } from './http/refused-connection.ts';
import { revocationRoute } from './http/revoke.ts';
import { startRoutes } from './http/start.ts';
import { answerStarting } from './http/starting.ts';
import { tokenRoute } from './http/token.ts';
import { tokenInfoRoute } from './http/token-info.ts';
import { listen } from './listen.ts';
import { configuredIdentityProviders } from './modules/configured-identity-providers.ts';
import { accessLog } from './runtime/access-log.ts';
import { startExamination } from './runtime/database-examination.ts';
import { FailedAttempts } from './runtime/failed-attempts.ts';
import { InFlight } from './runtime/in-flight.ts';
import { IssuedCounts } from './runtime/issued-counts.ts';
import { startKeyRotation } from './runtime/key-rotation.ts';
import { underLease } from './runtime/lease.ts';
import { createLogger, type Logger, type LogSink } from './runtime/logger.ts';
import { Metrics } from './runtime/metrics.ts';
import { startPurging } from './runtime/purging.ts';
import { securityLog } from './runtime/security-log.ts';
import { systemClock, systemRandom } from './system.ts';

/** A server that is put together. Its port is open; until {@link start} every request is answered with 503. */
export interface Service {
  readonly endpoints: readonly Endpoint[];
  readonly store: ServerStore;
  readonly logger: Logger;
  /** The port that is open. */
  readonly port: number;
  readonly baseUrl: string;
  /** Begins to look for damage in the database. */
  examine(): void;
  /** Registers the records that the server itself depends on. */
  bootstrap(): Promise<void>;
  /** Registers these records, and answers requests from then on. */
  start(): Promise<void>;
  /** Closes the port at once, for a process that cannot go on. */
  closePort(): void;
  /**
   * Stops accepting, finishes what is under way, lets go of the database.
   *
   * @param lingerSeconds for which connections stay open that wait for their next request
   */
  close(lingerSeconds?: number): Promise<void>;
}

// Milliseconds that a shutdown waits for modules: as long as a login usually takes, and some more.
const modulePatience = 2000;

/**
 * Opens the port and puts the server together.
 *
 * @throws ListenError, ConfigurationError, StoreUnavailableError; then the port is closed
 */
export async function composeService(configuration: Configuration, sink: LogSink): Promise<Service> {
  const logger = createLogger(configuration['log.level'], sink);
  const metrics = new Metrics();
  const ports = new Ports(
    { requestTimeout: configuration['http.requestTimeout'], refuse: connectionRefusal(metrics, logger) },
    answerStarting,
  );
  const port = await listen(ports, configuration);
  try {
    return await composeBehind(ports, port, configuration, sink, logger, metrics);
  } catch (error) {
    await ports.close(0);
    throw error;
  }
}

/** Puts the whole server together: the one place that knows every part. */
async function composeBehind(
  ports: Ports,
  port: number,
  configuration: Configuration,
  sink: LogSink,
  logger: Logger,
  metrics: Metrics,
): Promise<Service> {
  const clock = systemClock;
  const random = systemRandom;
  const baseUrl =
    configuration.baseUrl === defaultBaseUrl(0) && configuration.port === 0
      ? defaultBaseUrl(port)
      : configuration.baseUrl;
  const own = { password: passwordFactory(() => store) };
  const moduleCalls = composeModuleCalls(logger, metrics);
  const services = composeServices({ clock, random, baseUrl, store: () => store });
  const modules = await composeModules({ configuration, logger, own, services, calls: moduleCalls });
  const authenticators = [...modules.authenticators.values()];
  const pages = composePages(configuration, authenticators, logger);
  const store: ServerStore = await openSqliteServerStore({
    file: configuration.database,
    clock,
    onCommit: (batchSize) => metrics.committed(batchSize),
  });
  const { registry } = store;
  metrics.observeRegistry(() => store.registryStatistics());
  metrics.observeDroppedLogLines(() => sink.dropped());

  let closing = false;
  const inFlight = new InFlight();
  const issuer = baseUrl;
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  const shownPages = pageAnswers(pages, prefix);
  const cookies = browserCookieJar(baseUrl, configuration['authState.lifetime']);
  const attempts = new FailedAttempts({
    perIdentifier: configuration['failedAttempts.perIdentifier'],
    perAddress: configuration['failedAttempts.perAddress'],
  });
  const issuedCounts = new IssuedCounts(store.statistics, clock);
  const sealer = await KeyRing.open({ ...store, clock, random });
  const deps = {
    ...store,
    attempts,
    authenticationMethods: clientAuthenticationMethods,
    clock,
    random,
    identityProviders: configuredIdentityProviders(authenticators),
    securityLog: securityLog(logger, await store.digestKey.read()),
    issuer,
    sealer,
    instruments: {
      tokenIssued(grantType: string, client: Client) {
        metrics.tokenIssued(grantType);
        issuedCounts.tokenIssued(grantType, client.id);
      },
    },
    flushCounts: () => issuedCounts.flush(),
    refusals: () => metrics.refusals(),
    scopeSyntax: { commaSeparated: configuration['scope.commaSeparated'] },
    refreshIdleLifetime: configuration['refresh.idleLifetime'],
    refreshLifetime: configuration['refresh.lifetime'],
    refreshGrace: configuration['refresh.graceSeconds'],
    publicRefreshGrace: configuration['refresh.publicGraceSeconds'],
    refreshGraceStreak: configuration['refresh.graceStreak'],
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
    subjectSecret: await store.subjectKey.read(),
    sessionIdleLifetime: configuration['session.idleLifetime'],
    sessionLifetime: configuration['session.lifetime'],
  };
  const grantTypes = grantTypesOf(deps);
  const responseTypes = responseTypesOf({
    ...deps,
    codeLifetime: configuration['code.lifetime'],
    implicitLifetime: configuration['implicit.lifetime'],
  });
  const origins = (origin: string) => registry.isPublicClientOrigin(origin);
  const requests = callerRequests(baseUrl);
  const ready = async () => {
    if (closing) throw new OAuthError('temporarily_unavailable', { description: 'The server shuts down.' });
    await store.check();
  };

  const administration = composeAdministration(deps, shownPages, logger, prefix);
  const belowBase = [
    tokenRoute(tokenEndpoint({ ...deps, grantTypes }), requests, origins),
    tokenInfoRoute(tokenInfoEndpoint(deps), requests, configuration['adminService.jsonTypeInfoIncluded']),
    revocationRoute(revocationEndpoint(deps), requests, origins),
    introspectionRoute(introspectionEndpoint(deps), requests),
    ...composeAuthorization({ ...deps, responseTypes }, modules, shownPages, cookies, configuration, prefix),
    ...administration.endpoints,
    ...operationRoutes({ metrics, ready }),
    ...startRoutes({ pages: shownPages, prefix, issuer }),
    ...assetRoutes(pages.assets),
    ...composeConsole(configuration, { pages, shownPages, logger, prefix, registry, issuer }),
  ].map((endpoint) => ({ ...endpoint, path: `${prefix}${endpoint.path}` }));
  const endpoints = [
    ...belowBase,
    ...metadataRoutes(prefix, () =>
      authorizationServerMetadata(issuer, {
        grantTypes,
        responseTypes,
        authenticationMethods: deps.authenticationMethods,
        uiLocales: pages.languages(),
      }),
    ),
  ];
  const answer = requestListener({
    endpoints,
    logger,
    logRequest: accessLog(logger, sink),
    metrics,
    trustedProxies: configuration.trustedProxies,
    inFlight,
    pages: shownPages,
    cookies,
  });

  store.watchRegistry((error) => logger.error({ err: error }, 'changes of clients could not be read'));
  const leased = underLease({ leases: store.leases, clock, logger });
  const stopPurging = startPurging(
    { store, underLease: leased, clock, logger, metrics },
    {
      interval: configuration['purge.interval'],
      retention: configuration['purge.retention'],
      authStateLifetime: configuration['authState.lifetime'],
      auditRetention: configuration['audit.retention'],
      loginRetention: configuration['audit.loginRetention'],
    },
  );

  const stopCounting = issuedCounts.start(leased, logger);
  const stopKeyRotation = startKeyRotation({ rotate: () => sealer.rotate(), underLease: leased, logger });

  const registerOwnRecords = async () => {
    const { created, redirectUri } = await administration.bootstrap();
    if (created.length > 0) logger.info({ created }, 'registered the administration interface');
    if (redirectUri !== undefined) logger.info({ redirectUri }, 'the administration pages have moved');
    const fault = redirectUriProblem(administrationRedirectUri(issuer));
    if (fault !== undefined) {
      logger.warn(
        { baseUrl },
        'the administration pages need https: over this base URL nobody can log in to them',
      );
    }
  };

  let stopExamination = () => {};

  return {
    endpoints,
    store,
    logger,
    port,
    baseUrl,
    examine() {
      stopExamination = startExamination(store, logger, metrics);
    },
    bootstrap: registerOwnRecords,
    async start() {
      await registerOwnRecords();
      ports.answerWith(answer);
    },
    closePort: () => void ports.close(0),
    async close(lingerSeconds = 0) {
      closing = true;
      stopExamination();
      inFlight.close();
      moduleCalls.endAfter(Math.min(modulePatience, configuration['shutdown.deadline'] * 500));
      await ports.close(lingerSeconds * 1000);
      await inFlight.idle();
      await stopPurging();
      await stopCounting();
      stopKeyRotation();
      await Promise.all(authenticators.map((authenticator) => authenticator.close?.()));
      moduleCalls.close();
      await store.close();
    },
  };
}
