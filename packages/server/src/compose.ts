import { isLoopbackHost, type ResponseTypes, responseTypesOf } from '@watchword/protocol';
import type { PreparedServerStore, ServerStore } from '@watchword/store-sql';
import { effectiveSettings } from './config/effective-settings.ts';
import type { Configuration } from './config/settings.ts';
import { type Core, openCore, prefixOf } from './core/core.ts';
import { composeSessions } from './core/people/sessions.ts';
import { tracingOf } from './core/tracing.ts';
import { holdsDemo } from './demo.ts';
import { administration } from './features/administration.ts';
import { authorization } from './features/authorization.ts';
import {
  databaseServer,
  issuedCounts,
  keyRotation,
  purge,
  registryWatch,
  requestErrors,
} from './features/background-work.ts';
import { branding } from './features/branding.ts';
import { clientDocuments } from './features/client-documents.ts';
import { clientRegistration } from './features/client-registration.ts';
import { administrationGui } from './features/console.ts';
import { echo } from './features/echo.ts';
import { endpointsOf, type Feature, startInOrder } from './features/feature.ts';
import { grants } from './features/grants.ts';
import { health } from './features/health.ts';
import { introspection } from './features/introspection.ts';
import { logout, logoutRules } from './features/logout.ts';
import { mail } from './features/mail.ts';
import { metadata } from './features/metadata.ts';
import { metrics } from './features/metrics.ts';
import { openid } from './features/openid.ts';
import { pages } from './features/pages.ts';
import { passkeys } from './features/passkeys.ts';
import { pushedRequests } from './features/pushed-requests.ts';
import { requestObjects } from './features/request-objects.ts';
import { revocation } from './features/revocation.ts';
import { revocations } from './features/revocations.ts';
import { securityTxt } from './features/security-txt.ts';
import { signingKeys } from './features/signing-keys.ts';
import { token } from './features/token.ts';
import { tokenInfo } from './features/token-info.ts';
import { watchedPages } from './features/watched-pages.ts';
import { Ports } from './http/connections/ports.ts';
import type { RequestAnswerer } from './http/connections/received-request.ts';
import { connectionRejection } from './http/connections/rejected-connection.ts';
import type { Endpoint } from './http/endpoint.ts';
import { endpointAnswers } from './http/exchange.ts';
import { type ForeignHostCheck, foreignHostCheck } from './http/foreign-host.ts';
import { keptErrors } from './http/kept-errors.ts';
import { answerStarting } from './http/starting.ts';
import { onlyProcess, type Place } from './place.ts';
import { accessLog } from './runtime/log/access-log.ts';
import { logAdvice } from './runtime/log/database-advice.ts';
import { createLogger, type Logger, type LogSink } from './runtime/log/logger.ts';
import { Metrics } from './runtime/metrics/metrics.ts';
import { ignoredForwarding } from './runtime/nodes/ignored-forwarding.ts';
import { startExamination } from './runtime/work/database-examination.ts';
import type { Tracing } from './tracing/tracing.ts';
import { version } from './version.ts';

/** A composed server. Its port is open. Until {@link start} it answers every request but `/healthz` with 503. */
export interface Service {
  readonly endpoints: readonly Endpoint[];
  readonly store: ServerStore;
  readonly logger: Logger;
  /** The port that is open. */
  readonly port: number;
  readonly baseUrl: string;
  /** Starts all features in order, and then answers requests. */
  start(): Promise<void>;
  /** Begins to look for what is wrong with the database, and logs it. One process of a server does it. */
  examine(): void;
  /** Work beside the answers to requests, which must not reject. The database is open until its end. */
  beside(work: Promise<unknown>): void;
  /** Reads again what can change while the server runs: the file with the URL of the database. */
  reload(): void;
  /** Closes the port at once, for a process that cannot continue. */
  closePort(): void;
  /**
   * Closes the port, answers the current requests, stops the features in reverse order, and closes modules and database.
   *
   * @param lingerSeconds seconds for which idle connections stay open
   */
  close(lingerSeconds?: number): Promise<void>;
}

/** All features of the server, in the order in which they start. */
function featuresOf(core: Core): readonly Feature[] {
  const responseTypes = responseTypesFor(core);
  const withSessions = { ...core, sessions: composeSessions(core) };
  const endpointOfLogout = logoutRules(withSessions, responseTypes);
  const features: readonly Feature[] = [
    administration(core),
    databaseServer(core),
    registryWatch(core),
    purge(core),
    issuedCounts(core),
    requestErrors(core),
    mail(core),
    keyRotation(core),
    signingKeys(core),
    grants(core),
    tokenInfo(core),
    revocations(core),
    openid(core),
    logout(core, endpointOfLogout),
    pushedRequests(core),
    requestObjects(core),
    health(core),
    securityTxt(core),
    passkeys(core),
    echo(core),
    metrics(core),
    pages(core),
    administrationGui(core),
    branding(core),
    clientDocuments(core),
    clientRegistration(core),
    watchedPages(core),
  ];
  const grantTypes = features.flatMap((feature) => feature.grantTypes ?? []);
  const documentClients = features.find((feature) => feature.documentClients)?.documentClients;
  const ofFeatures = {
    documentClients,
    requestSources: features.flatMap((feature) => feature.requestSources ?? []),
    targetKinds: features.flatMap((feature) => feature.targetKinds ?? []),
  };
  const all = [
    ...features,
    authorization(withSessions, responseTypes, ofFeatures, endpointOfLogout),
    token(core, grantTypes, documentClients),
    revocation(core, documentClients),
    introspection(core, documentClients),
  ];
  const offered = responseTypes.filter(({ name }) => core.profile?.takesResponseType(name) !== false);
  return [...all, metadata(core, all, offered)];
}

function responseTypesFor({
  accessTokenFormats,
  clock,
  configuration,
  instruments,
  openid,
  profile,
  random,
  store,
  tracing,
}: Core): ResponseTypes {
  const deps = {
    ...store,
    accessTokenFormats,
    clock,
    instruments,
    issueIdToken: openid.issueIdToken,
    random,
    codeLifetime: configuration['code.lifetime'],
    implicitLifetime: configuration['implicit.lifetime'],
  };
  return responseTypesOf(deps, tracing?.tracer, profile);
}

/**
 * Opens the port and composes the server.
 *
 * @param place as the only process of a server, or as one of its workers
 * @param prepared store, if its opening has begun
 * @param asDemo whether visitors of this machine can be people of the demo
 * @throws ListenError, ConfigurationError, StoreUnavailableError; then everything is closed again
 */
export async function composeService(
  configuration: Configuration,
  sink: LogSink,
  place: Place = onlyProcess(),
  prepared?: PreparedServerStore,
  asDemo = false,
): Promise<Service> {
  let tracing: Tracing | undefined;
  const logger = createLogger(
    configuration['log.level'],
    sink,
    { node: configuration['log.node'], version, worker: place.worker },
    () => tracing?.requests.current(),
  );
  const metrics = new Metrics(version);
  await using resources = new AsyncDisposableStack();
  tracing = await tracingOf(configuration, { logger, version, worker: place.worker });
  if (tracing !== undefined) resources.use(closedInTime(tracing, configuration));
  const ports = new Ports(
    {
      requestTimeout: configuration['http.requestTimeout'],
      ownReader: configuration['http.ownReader'],
      reject: connectionRejection(metrics, logger),
    },
    answerStarting(prefixOf(configuration.baseUrl), logger, configuration.trustedProxies),
  );
  const { host, port: wanted } = configuration;
  const { port } = await place.openPort(ports, { host, port: wanted, flags: '--' });
  resources.defer(() => ports.close(0));
  const settings = () => effectiveSettings(configuration, place.settingSources ?? {});
  const isDemo = asDemo ? holdsDemo : undefined;
  const surroundings = { configuration, settings, logger, metrics, place, port, sink, tracing, isDemo };
  const core = await openCore(surroundings, resources, prepared);
  return serviceOf(core, ports, featuresOf(core), resources.move());
}

function serviceOf(
  core: Core,
  ports: Ports,
  features: readonly Feature[],
  resources: AsyncDisposableStack,
): Service {
  const { baseUrl, configuration, inFlight, logger, metrics, moduleCalls, port, prefix, store } = core;
  const endpoints = endpointsOf(features, prefix, store);
  return {
    endpoints,
    store,
    logger,
    port,
    baseUrl,
    async start() {
      resources.use(await startInOrder(features));
      const { answering = (answer) => answer } = core.place;
      ports.answerWith(answering(listenerOf(core, endpoints)));
    },
    examine() {
      if (store.examine !== undefined) resources.defer(startExamination(store.examine, logger, metrics));
      if (store.advise !== undefined) void logAdvice(store.advise, logger);
    },
    beside(work) {
      resources.defer(async () => void (await work));
    },
    reload() {
      if (store.readLoginAgain !== undefined) void store.readLoginAgain();
      else logger.info('nothing was read again: the database is a file of SQLite, which has no password');
    },
    closePort: () => void ports.close(0),
    async close(lingerSeconds = 0) {
      inFlight.close();
      moduleCalls.endAfter(Math.min(modulePatience, configuration['shutdown.deadline'] * 500));
      await ports.close(lingerSeconds * 1000);
      await inFlight.idle();
      await resources.disposeAsync();
    },
  };
}

function listenerOf(core: Core, endpoints: readonly Endpoint[]): RequestAnswerer {
  const { clock, configuration, cookies, logger, modules, pageAnswers, requestErrors, sink, store } = core;
  const { place, profile } = core;
  const { 'clientCertificate.header': name } = configuration;
  return endpointAnswers({
    ...core,
    endpoints,
    logRequest: accessLog(logger, sink, configuration['log.probes']),
    trustedProxies: configuration.trustedProxies,
    certificateHeader:
      name === undefined ? undefined : { name, form: configuration['clientCertificate.form'] },
    dpopAlgorithms: profile?.clientAlgorithms,
    isForeignHost: foreignHostCheckOf(core),
    onIgnoredForwarding: ignoredForwarding(logger, place.siblings),
    pages: pageAnswers,
    tracing: core.tracing?.requests,
    errors: keptErrors({
      requestErrors,
      sessions: composeSessions(core),
      authenticators: modules.authenticators,
      cookies,
      clock,
      registry: store.registry,
    }),
  });
}

/** A server that only this machine uses, or one for development, answers for its own names only. */
function foreignHostCheckOf({ baseUrl, configuration, modules }: Core): ForeignHostCheck | undefined {
  const { hostname } = new URL(baseUrl);
  if (!isLoopbackHost(hostname) && !modules.isForDevelopment) return undefined;
  return foreignHostCheck([hostname, ...configuration.allowedHosts]);
}

// Milliseconds that a shutdown waits for modules: a little longer than a login usually takes.
const modulePatience = 2000;

// Milliseconds that a shutdown waits for the receiver of traces.
const receiverPatience = 2000;

/** The last part that closes, so that the spans of all others are sent. */
function closedInTime(tracing: Tracing, configuration: Configuration): AsyncDisposable {
  const patience = Math.min(receiverPatience, configuration['shutdown.deadline'] * 250);
  return { [Symbol.asyncDispose]: () => tracing.close(patience) };
}
