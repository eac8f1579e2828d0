import type { FactorPolicy, FactorSecrets } from '@watchword/accounts';
import type { EffectiveSetting } from '@watchword/administration';
import type { RelyingParty } from '@watchword/passkeys';
import type {
  AuthenticationDependencies,
  Clock,
  IdentityProviders,
  LoginAttempts,
  Passwords,
  Random,
  SecurityLog,
  TokenBridge,
} from '@watchword/protocol';
import type { PreparedServerStore, ServerStore } from '@watchword/store-sql';
import { defaultBaseUrl } from '../config/load.ts';
import { metricsToken } from '../config/metrics-token.ts';
import type { Configuration } from '../config/settings.ts';
import { type BrowserCookieJar, browserCookieJar } from '../http/browser-cookies.ts';
import { type CallerRequests, callerRequests } from '../http/credentialed-request.ts';
import { type LanguageChoice, languageChoice } from '../http/language-choice.ts';
import { type PageAnswers, pageAnswers } from '../http/page.ts';
import { demoFormModule } from '../modules/authentication/form.ts';
import { configuredIdentityProviders } from '../modules/configured-identity-providers.ts';
import type { ModuleCalls } from '../modules/module-calls.ts';
import type { FactorLimits } from '../modules/services/factor-limits.ts';
import type { FirstAdministrator } from '../pages/model/start-page.ts';
import type { Pages } from '../pages/pages.ts';
import type { Place } from '../place.ts';
import { InFlight } from '../runtime/in-flight.ts';
import type { Logger, LogSink } from '../runtime/log/logger.ts';
import { securityLog } from '../runtime/log/security-log.ts';
import type { Metrics } from '../runtime/metrics/metrics.ts';
import { RequestErrors } from '../runtime/request-errors/request-errors.ts';
import { type UnderLease, underLease } from '../runtime/work/lease.ts';
import { systemClock, systemRandom } from '../system.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { type Asking, askingOf } from './clients/asking.ts';
import { authenticationOf } from './clients/client-authentication.ts';
import { type Counting, countingOf } from './counting.ts';
import { authenticatorsOf } from './modules/authenticators.ts';
import { composeModuleCalls } from './modules/logged-module-calls.ts';
import { composeServices } from './modules/module-services.ts';
import { composeModules, type Modules } from './modules/modules.ts';
import type { ModuleDependencies } from './modules/named-module.ts';
import { type StoredAuthenticators, storedAuthenticators } from './modules/stored-authenticators.ts';
import { composeUserClaims } from './openid.ts';
import { composePages } from './pages.ts';
import { factorPolicyOf, factorSecrets } from './people/factors.ts';
import { firstAdministratorOf } from './people/first-administrator.ts';
import { type Mailing, mailTransportOf, sealedMail } from './people/mailing.ts';
import { relyingPartyOf } from './people/passkeys.ts';
import { composePasswords, hasherOf, passwordFactory } from './people/passwords.ts';
import { type PlacesOf, placesIn } from './places.ts';
import type { OpenCustody } from './sealed-settings.ts';
import { type Secrets, secretsOf } from './secrets.ts';
import { keyHolders, openCustody } from './signing.ts';
import { openStore } from './store.ts';
import { tokenBridgeOf } from './token-bridge.ts';

/** The process around the server, which exists before the server is composed. */
export interface Surroundings {
  readonly configuration: Configuration;
  readonly logger: Logger;
  readonly sink: LogSink;
  readonly metrics: Metrics;
  readonly place: Place;
  /** The effective settings of this process, without secrets. */
  settings(): readonly EffectiveSetting[];
  /** The port that is open. */
  readonly port: number;
  /** `undefined` if no request is traced. */
  readonly tracing: Tracing | undefined;
  /** Of a server that is started as a demo: whether a database is one. */
  readonly isDemo?: ((store: ServerStore) => boolean) | undefined;
}

/** The dependencies that several features share. Each feature names the members that it uses. */
export interface Core extends Surroundings, Asking, Counting, Mailing, Secrets {
  readonly clock: Clock;
  readonly random: Random;
  readonly baseUrl: string;
  /** Path of the base URL, `''` when it has none. */
  readonly prefix: string;
  /** Whose passkeys people have; `undefined` where browsers allow none. */
  readonly relyingParty: RelyingParty | undefined;
  readonly modules: Modules;
  /** Those of the database, which are among the authenticators of `modules` too. */
  readonly stored: StoredAuthenticators;
  readonly moduleCalls: ModuleCalls;
  /** How the first administrator is made; `undefined` where there is one. */
  firstAdministrator(): FirstAdministrator | undefined;
  /** Limits guesses at the accounts of an authenticator. */
  loginAttemptsOf(authenticator: string): LoginAttempts;
  readonly factorLimits: FactorLimits;
  readonly factorSecrets: FactorSecrets;
  readonly factorPolicy: FactorPolicy;
  /** See the setting `pages.placeDatabase`. */
  readonly placesOf: PlacesOf;
  readonly passwords: Passwords;
  readonly identityProviders: IdentityProviders;
  readonly store: ServerStore;
  /** `undefined` if no other server is asked about tokens. */
  readonly tokenBridge: TokenBridge | undefined;
  /** Why requests about clients failed. */
  readonly requestErrors: RequestErrors;
  readonly securityLog: SecurityLog;
  /** Runs background work while this process has the lease for it. */
  readonly underLease: UnderLease;
  /** Bearer token that a request of the metrics must have; `undefined` if it needs none. */
  readonly metricsToken: string | undefined;
  readonly inFlight: InFlight;
  readonly pages: Pages;
  readonly pageAnswers: PageAnswers;
  readonly cookies: BrowserCookieJar;
  readonly languageChoice: LanguageChoice;
  readonly requests: CallerRequests;
  /** How clients and resource servers authenticate. */
  readonly authentication: AuthenticationDependencies;
}

// Seconds, at least, that a login waits in cookies for a browser that is at another server. A late state starts its request again.
const waitsFor = 3600;

/**
 * Loads the modules, reads the files of pages and opens the database, in this order. So a missing module or file does not
 * change the database.
 *
 * @param resources closes everything again, in reverse order
 * @param prepared store, if its opening has begun
 * @throws ConfigurationError, StoreUnavailableError
 */
export async function openCore(
  surroundings: Surroundings,
  resources: AsyncDisposableStack,
  prepared?: PreparedServerStore,
): Promise<Core> {
  const { configuration, logger, metrics, place, port, tracing } = surroundings;
  const [random, baseUrl] = [place.random ?? systemRandom, baseUrlOf(configuration, port)];
  // Closed before the store, because modules can use the store until they are closed.
  await using ofModules = new AsyncDisposableStack();
  const [hasher, calls] = [hasherOf(surroundings), composeModuleCalls(logger, metrics, tracing?.tracer)];
  ofModules.defer(() => calls.close());
  // Modules are made before the database is open, and have the time of the machine until then.
  let clock = systemClock;
  const opened = { store: () => store, digestKey: () => digestKey(), mailing: () => secrets };
  const now = { now: () => clock.now() };
  const services = composeServices({ clock: now, random, baseUrl, ...opened, tracing });
  let stored: StoredAuthenticators | undefined;
  const password = passwordFactory({ ...opened, instruments: metrics }, hasher, configuration);
  const own = { password, ...demoLogin(surroundings, () => store), ...place.authenticators };
  const isOfStored = (name: string) => stored?.owns(name) ?? false;
  const ofServer = { own, services, calls, isOfStored };
  const modules = await openModules(surroundings, ofServer, ofModules);
  const pages = composePages(surroundings, [...modules.authenticators.values()]);
  const placesOf = await placesIn(configuration['pages.placeDatabase']);
  const asking = await askingOf(surroundings, now);
  const [userClaims, tokenOfMetrics] = [composeUserClaims(configuration), await metricsToken(configuration)];
  const ofMail = { ...services, mailTransport: await mailTransportOf(configuration, place) };
  const holders = await keyHolders(configuration, place.makeKeyPair);
  const store: ServerStore = await openStore(surroundings, prepared);
  clock = store.clock;
  resources.defer(() => store.close());
  resources.use(ofModules.move());
  const [digestKey, counting] = [await currentDigestKey(store), countingOf(surroundings, store, clock)];
  const [passwords, custody] = [composePasswords(hasher), () => openCustody(holders, store, random)];
  const ofStored = { configuration, logger, services, calls, custody, addTexts: pages.addTexts };
  stored = await storedAuthenticators(ofStored, modules, store, resources);
  const parts = { store, clock, random, baseUrl, userClaims, tracer: tracing?.tracer, logger };
  const secrets = await secretsOf(configuration, holders, parts).then(sealedMail(place, ofMail, parts));
  return {
    ...surroundings,
    clock,
    random,
    baseUrl,
    prefix: prefixOf(baseUrl),
    modules,
    stored,
    moduleCalls: calls,
    placesOf,
    ...provingParts(services, custody, logger),
    passwords,
    ...(await loginsOf(surroundings, modules, store)),
    ...asking,
    store,
    tokenBridge: await tokenBridgeOf({ ...surroundings, store, clock, baseUrl }),
    ...secrets,
    requestErrors: observedRequestErrors(store, clock, random, metrics),
    securityLog: securityLog(logger, metrics, digestKey),
    underLease: underLease({ leases: store.leases, clock, logger }),
    metricsToken: tokenOfMetrics,
    ...counting,
    inFlight: new InFlight(),
    pages,
    ...browserParts(pages, baseUrl, configuration),
    requests: callerRequests(baseUrl),
    authentication: authenticationOf(surroundings, { ...parts, ...asking, ...counting, passwords, services }),
  };
}

/** What checks the proofs of a login. */
function provingParts(
  { loginAttemptsOf, factorLimits }: ReturnType<typeof composeServices>,
  custody: OpenCustody,
  logger: Logger,
) {
  return { loginAttemptsOf, factorLimits, factorSecrets: factorSecrets(custody, logger) };
}

function browserParts(pages: Pages, baseUrl: string, configuration: Configuration) {
  const prefix = prefixOf(baseUrl);
  const cookies = browserCookieJar(baseUrl, Math.max(configuration['authState.lifetime'], waitsFor));
  const { languages } = pages;
  return {
    cookies,
    relyingParty: relyingPartyOf(baseUrl, configuration['passkeys.relyingPartyId']),
    pageAnswers: pageAnswers(pages, prefix, cookies.language),
    languageChoice: languageChoice({ cookies, languages, prefix }),
  };
}

/** What is known of those who can log in. */
async function loginsOf({ configuration, isDemo }: Surroundings, modules: Modules, store: ServerStore) {
  return {
    factorPolicy: await factorPolicyOf(configuration, modules, store, isDemo !== undefined),
    identityProviders: configuredIdentityProviders(modules.authenticators),
    firstAdministrator: await firstAdministratorOf(modules, store, () => isDemo?.(store) === true),
  };
}

/** The login of the demo, in place of the one that every server begins with. An operator who chooses authenticators wants no other. */
function demoLogin({ configuration, isDemo }: Surroundings, store: () => ServerStore) {
  const [only, ...others] = authenticatorsOf(configuration);
  if (isDemo === undefined || only?.module !== 'form' || only.as !== undefined || others.length > 0)
    return {};
  return { form: () => demoFormModule(() => isDemo(store())) };
}

async function openModules(
  { configuration, logger, place }: Surroundings,
  ofServer: Omit<ModuleDependencies, 'configuration' | 'logger' | 'warns'>,
  resources: AsyncDisposableStack,
): Promise<Modules> {
  const modules = await composeModules({ configuration, logger, warns: place.isFirst, ...ofServer });
  const ofConfiguration = [...modules.authenticators.values()];
  resources.defer(async () => {
    await Promise.all(ofConfiguration.map((authenticator) => authenticator.close?.()));
  });
  return modules;
}

/** The key of digests, also after a command has renewed it. */
async function currentDigestKey(store: ServerStore): Promise<() => Uint8Array> {
  let key = await store.digestKey.read();
  store.followChanges(async () => {
    key = await store.digestKey.read();
  });
  return () => key;
}

/** Path of a base URL, `''` when it has none. */
export function prefixOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '');
}

/** With port 0 and no base URL in the configuration, the open port determines the base URL. */
function baseUrlOf({ baseUrl, port }: Configuration, opened: number): string {
  return port === 0 && baseUrl === defaultBaseUrl(0) ? defaultBaseUrl(opened) : baseUrl;
}

function observedRequestErrors(
  { requestErrors }: ServerStore,
  clock: Clock,
  random: Random,
  metrics: Metrics,
): RequestErrors {
  const errors = new RequestErrors(requestErrors, clock, random);
  metrics.observeDroppedRequestErrors(() => errors.dropped());
  return errors;
}
