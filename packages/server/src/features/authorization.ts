import {
  accountEndpoint,
  addressEndpoint,
  type DeletionDependencies,
  deletionEndpoint,
  factorsEndpoint,
  forgottenPassword,
  invitationEndpoint,
  type LinksEndpoint,
  linkedLogins,
  linksEndpoint,
  passwordEndpoint,
  type SignUpRules,
  signUpEndpoint,
  storedData,
} from '@watchword/accounts';
import { testLogins } from '@watchword/administration';
import { isMailAddress } from '@watchword/mail';
import {
  type AuditEvent,
  accountIdentityProvider,
  authorizationEndpoint,
  type DocumentClients,
  type LinkedLogins,
  type LoginSessions,
  type LogoutEndpoint,
  loginStepsOf,
  type RequestSource,
  type ResponseTypes,
  supportedPrompts,
  type TargetKind,
} from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import { refusalsIn } from '../core/people/passkeys.ts';
import { strengthOf, type WithSessions } from '../core/people/sessions.ts';
import { accountRoutes } from '../http/browser/account.ts';
import { addressRoutes } from '../http/browser/address.ts';
import type { FirstAdministratorDependencies } from '../http/browser/authorization-pages.ts';
import { authorizationRoutes } from '../http/browser/authorize.ts';
import { browserAnswers } from '../http/browser/browser-answers.ts';
import { factorRoutes } from '../http/browser/factors.ts';
import { forgottenPasswordRoutes } from '../http/browser/forgotten-password.ts';
import { invitationRoutes } from '../http/browser/invitation.ts';
import { languageRoute } from '../http/browser/language.ts';
import { linkRoutes } from '../http/browser/links.ts';
import { moduleRoutes, storedModuleRoutes } from '../http/browser/module-routes.ts';
import { ownDataRoutes } from '../http/browser/own-data.ts';
import {
  type PasswordRouteDependencies,
  passwordRoutes,
  wellKnownPasswordRoutes,
} from '../http/browser/password.ts';
import { forgottenPath, signUpPath } from '../http/browser/shown.ts';
import { signUpRoutes } from '../http/browser/sign-up.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { auditLine } from '../runtime/log/audit-line.ts';
import { factorStepsOf } from './factor-steps.ts';
import type { Feature } from './feature.ts';
import { pushedRequestEndpoint } from './pushed-requests.ts';

type Parts = Pick<
  Core,
  | 'authentication'
  | 'baseUrl'
  | 'clock'
  | 'configuration'
  | 'dpopProofs'
  | 'cookies'
  | 'factorLimits'
  | 'factorPolicy'
  | 'factorSecrets'
  | 'firstAdministrator'
  | 'identityProviders'
  | 'instruments'
  | 'languageChoice'
  | 'logger'
  | 'metrics'
  | 'loginAttemptsOf'
  | 'mailLimits'
  | 'modules'
  | 'openid'
  | 'pageAnswers'
  | 'pages'
  | 'passwords'
  | 'placesOf'
  | 'prefix'
  | 'profile'
  | 'random'
  | 'relyingParty'
  | 'requestErrors'
  | 'requests'
  | 'scopeSyntax'
  | 'sealer'
  | 'securityLog'
  | 'sendMail'
  | 'signing'
  | 'store'
  | 'stored'
  | 'subjectSecret'
  | 'tracing'
> &
  WithSessions;

type Ways = Pick<FirstAdministratorDependencies, 'forgottenUrl' | 'signUpUrl'>;

interface OfFeatures {
  readonly documentClients: DocumentClients | undefined;
  readonly requestSources: readonly RequestSource[];
  readonly targetKinds: readonly TargetKind[];
}

/**
 * The endpoints for browsers: the authorization endpoint, its forms, the addresses of modules, and the account page.
 *
 * @param ofFeatures what other features add
 */
export function authorization(
  parts: Parts,
  responseTypes: ResponseTypes,
  ofFeatures: OfFeatures,
  logout: LogoutEndpoint,
): Feature {
  const { clock, cookies, modules, pageAnswers, prefix, random, sessions, store } = parts;
  const tests = testLogins({ ...store, clock, random });
  const { authenticators, configured, consent } = modules;
  const shared = sharedDependencies(parts, responseTypes);
  const hasLocalLogin = authenticators.has(accountIdentityProvider);
  const ofPasswords = passwordDependencies(parts, { ...shared, sessions });
  const mail = hasLocalLogin ? mailOf(parts) : undefined;
  const ways: Ways = mail === undefined ? {} : waysOf(parts);
  const hasSignUp = ways.signUpUrl !== undefined;
  const ofFactors = { ...ofPasswords, ...factorStores(parts) };
  const factorSteps = factorStepsOf(parts, ofFactors);
  const loginSteps = loginStepsOf(parts.configuration, { ...shared, factorSteps });
  const linking: Linking = hasLocalLogin ? linkingOf({ ...shared, sessions }, ofPasswords, parts) : {};
  const incoming = { ...shared, ...ofFeatures, hasSignUp };
  const routes = {
    hasLocalLogin,
    links: linking.links,
    factors: factorsEndpoint(ofFactors),
    productName: parts.pages.productName,
    hasAddressPage: mail !== undefined,
    ...ways,
    authorization: authorizationEndpoint({
      ...{ ...incoming, ...linking },
      ...{ sessions, consent, loginSteps },
    }),
    loginSteps,
    account: accountEndpoint({ ...shared, sessions }),
    storedData: storedData({ ...shared, sessions, audited: ofPasswords.audited }),
    deletion: parts.configuration['account.deletion'] ? deletionEndpoint(ofPasswords) : undefined,
    cookies,
    prefix,
    answers: browserAnswers(pageAnswers, cookies),
    firstAdministrator: parts.firstAdministrator,
    authenticators,
    consent,
    sessions,
    logout,
    testLogins: tests,
    placesOf: parts.placesOf,
    language: pageAnswers.language,
  };
  return {
    metadata: { prompt_values_supported: supportedPrompts(hasSignUp) },
    ...(hasLocalLogin && { hostEndpoints: wellKnownPasswordRoutes(routes) }),
    endpoints: [
      ...authorizationRoutes(routes),
      pushedRequestEndpoint(parts, incoming),
      ...accountRoutes(routes),
      ...ownDataRoutes(routes),
      ...factorRoutes(routes),
      ...(linking.links === undefined ? [] : linkRoutes(routes, linking.links)),
      languageRoute(routes, parts.languageChoice),
      ...(hasLocalLogin ? accountRoutesOf(ofFactors, routes, parts) : []),
      ...configured.flatMap(({ name }) => {
        const authenticator = authenticators.get(name);
        return authenticator === undefined ? [] : moduleRoutes(authenticator, routes);
      }),
      ...storedModuleRoutes(parts.stored, tests, routes),
    ],
  };
}

function sharedDependencies(parts: Parts, responseTypes: ResponseTypes) {
  const { baseUrl: issuer, clock, configuration, identityProviders, instruments, random } = parts;
  const { modules, openid, profile, scopeSyntax, sealer, securityLog, signing, store, subjectSecret } = parts;
  return {
    ...store,
    authenticators: modules.authenticators,
    authStateLifetime: configuration['authState.lifetime'],
    clock,
    identityProviders,
    instruments,
    issuer,
    random,
    requestErrorLog: parts.requestErrors,
    requiresPushed: configuration['authorization.requirePushedRequests'],
    requiresSigned: configuration['authorization.requireSignedRequests'],
    responseTypes,
    profile,
    scopeSyntax,
    sealer,
    securityLog,
    signer: signing.signer,
    subjectSecret,
    strength: strengthOf(configuration),
    subjects: openid.subjects,
    userClaims: openid.userClaims,
    tracer: parts.tracing?.tracer,
  };
}

/** The pages on which users of local accounts set their passwords, and what needs mail. */
function accountRoutesOf(
  deps: DeletionDependencies & ReturnType<typeof factorStores>,
  routes: Omit<PasswordRouteDependencies, 'password'>,
  parts: Pick<Parts, 'configuration'>,
): Endpoint[] {
  const ofPassword = { ...routes, password: passwordEndpoint(deps) };
  const { mail } = deps;
  const signUp = signUpRulesOf(parts);
  const withoutMail = [
    ...passwordRoutes(ofPassword),
    ...(parts.configuration.registration === 'off'
      ? []
      : invitationRoutes({ ...routes, invitations: invitationEndpoint(deps) })),
  ];
  if (mail === undefined) return withoutMail;
  return [
    ...withoutMail,
    ...forgottenPasswordRoutes({ ...ofPassword, forgotten: forgottenPassword(deps, mail) }),
    ...addressRoutes({ ...routes, address: addressEndpoint(deps, mail) }),
    ...(signUp === undefined ? [] : signUpRoutes({ ...routes, signUp: signUpEndpoint(deps, mail, signUp) })),
  ];
}

/** Where the login page leads people for whom mail is sent. */
function waysOf(parts: Pick<Parts, 'configuration' | 'prefix'>): Ways {
  const { prefix } = parts;
  return {
    forgottenUrl: `${prefix}${forgottenPath}`,
    ...(signUpRulesOf(parts) !== undefined && { signUpUrl: `${prefix}${signUpPath}` }),
  };
}

/** `undefined` where nobody makes an account that no administrator made or asked for. */
function signUpRulesOf({ configuration }: Pick<Parts, 'configuration'>): SignUpRules | undefined {
  if (configuration.registration !== 'open') return undefined;
  const domains = configuration.registrationDomains.map((domain) => domain.toLowerCase());
  return { domains };
}

function mailOf({ mailLimits: limits, sendMail: send }: Parts): DeletionDependencies['mail'] {
  return send && { send, limits, isAddress: isMailAddress };
}

interface Linking {
  readonly links?: LinksEndpoint;
  readonly linkedLogins?: LinkedLogins;
}

function linkingOf(
  shared: ReturnType<typeof sharedDependencies> & { readonly sessions: LoginSessions },
  { audited }: Pick<DeletionDependencies, 'audited'>,
  { modules, stored }: Pick<Parts, 'modules' | 'stored'>,
): Linking {
  const deps = { ...shared, audited };
  const trustedDomains = {
    get: (name: string) => modules.trustedDomains.get(name) ?? stored.trustedDomains(name),
  };
  return { links: linksEndpoint(deps), linkedLogins: linkedLogins({ ...deps, trustedDomains }) };
}

function factorStores({ store, factorSecrets: secrets, logger, relyingParty }: Parts) {
  const { accountLinks, credentials, oneTime } = store;
  const onRefused = refusalsIn((text, why) => logger.info(why, text));
  return { accountLinks, credentials, oneTime, secrets, relyingParty, onRefused };
}

function passwordDependencies(
  parts: Parts,
  shared: ReturnType<typeof sharedDependencies> & { readonly sessions: LoginSessions },
): DeletionDependencies {
  const { logger, loginAttemptsOf, metrics, pages, passwords } = parts;
  return {
    ...shared,
    passwords,
    loginAttempts: loginAttemptsOf(accountIdentityProvider),
    productName: pages.productName,
    mail: mailOf(parts),
    recoveryAttempts: parts.configuration['account.passwordByRecoveryCode']
      ? parts.factorLimits.recoveryCodes
      : undefined,
    audited(event: AuditEvent) {
      logger.info({ audit: auditLine(event) }, 'changed a record');
      metrics.countAccountEvent(event);
      metrics.countFactorEvent(event);
    },
  };
}
