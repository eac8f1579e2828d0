import type { TestLogins } from '@watchword/administration';
import {
  type AuthenticationModule,
  type AuthorizationAnswer,
  type AuthorizationEndpoint,
  type AuthorizationRequest,
  type ChoiceAnswer,
  type LoginSessions,
  type LogoutEndpoint,
  type ModuleAnswer,
  type ModuleEndpoint,
  OAuthError,
  type PendingLogin,
  type Submission,
  submitted,
} from '@watchword/protocol';
import type { ChoicePage } from '../../pages/model/page.ts';
import { type HttpAnswer, withCookies } from '../answer.ts';
import type { Endpoint, Handler, Method } from '../endpoint.ts';
import { browserSubmission, queryText } from '../form.ts';
import type { HttpRequest } from '../request.ts';
import { chooserUrl } from './authenticators-page.ts';
import { messageOf } from './authorization-pages.ts';
import { type AuthorizationRouteDependencies, authorizationAnswer } from './authorize.ts';
import { logoutAnswer } from './logout.ts';
import { repeatingFromHere } from './posted-request.ts';
import { shownCancelling, shownFor } from './shown.ts';

export interface ModuleRouteDependencies extends AuthorizationRouteDependencies {
  readonly authorization: AuthorizationEndpoint;
  readonly sessions: LoginSessions;
  readonly logout: LogoutEndpoint;
  readonly testLogins: TestLogins;
  /** The language of pages for this request. */
  language(request: HttpRequest): string;
}

/** The addresses that an authentication module defines. */
export function moduleRoutes(
  { name, endpoints = [] }: AuthenticationModule,
  shared: ModuleRouteDependencies,
): Endpoint[] {
  const deps = { ...shared, authenticator: name };
  const paths = [...new Set(endpoints.map(({ path }) => path))];
  return paths.map((path) => {
    const ofPath = endpoints.filter((endpoint) => endpoint.path === path);
    const methods = ofPath.map((endpoint): [Method, Handler] => [
      endpoint.method,
      (request) => answer(endpoint, request, deps),
    ]);
    const limits = ofPath.flatMap(({ bodyLimit = [] }) => bodyLimit);
    return {
      path,
      page: true,
      // A module can have effects at its addresses: most continue a login.
      hasEffects: true,
      methods: Object.fromEntries(methods),
      ...(limits.length > 0 && { bodyLimit: Math.max(...limits) }),
    };
  });
}

// The greatest limit that the address of a module can have.
const mostBytes = 512 * 1024;

/** Which authenticators come and go while the server runs. */
interface ComingAuthenticators {
  has(name: string): boolean;
}

/**
 * The addresses of the authenticators that administrators set up, and the beginning of their test logins. What has a path of its own in the
 * router takes precedence.
 */
export function storedModuleRoutes(
  stored: ComingAuthenticators,
  testLogins: TestLogins,
  shared: ModuleRouteDependencies,
): Endpoint[] {
  const { authenticators, authorization, cookies } = shared;
  const handle: Handler = (request) => {
    const { authenticator = '', '*': rest = '' } = request.parameters;
    const module = stored.has(authenticator) ? authenticators.get(authenticator) : undefined;
    const asked = `/login/${authenticator}/${rest}`;
    const ofPath = (module?.endpoints ?? []).filter(({ path }) => path === asked);
    if (ofPath.length === 0) throw new OAuthError('unknown_address');
    const endpoint = ofPath.find(({ method }) => method === request.method);
    if (endpoint === undefined) throw new OAuthError('method_not_allowed');
    return answer(endpoint, request, { ...shared, authenticator });
  };
  const common = { page: true, hasEffects: true };
  return [
    {
      ...common,
      path: '/login/:authenticator/*',
      bodyLimit: mostBytes,
      methods: { GET: handle, POST: handle },
    },
    {
      ...common,
      path: '/login/:authenticator/test',
      methods: {
        async GET(request) {
          const { authenticator = '' } = request.parameters;
          const testId = submitted(browserSubmission(request), 'id');
          if ((await testLogins.begin(testId)) !== authenticator) throw new OAuthError('invalid_auth_state');
          const begun = await authorization.tryLogin(authenticator, testId, cookies.read(request));
          return authorizationAnswer(begun, request, shared);
        },
      },
    },
  ];
}

/** Dependencies for the addresses of one module, which can continue only its own logins. */
interface OneModuleDependencies extends ModuleRouteDependencies {
  /** Its name. */
  readonly authenticator: string;
}

async function answer(
  endpoint: ModuleEndpoint,
  request: HttpRequest,
  deps: OneModuleDependencies,
): Promise<HttpAnswer> {
  const known: Handler = (posted) => answerHere(endpoint, posted, deps);
  return endpoint.repeatsPosts === true && request.method === 'POST'
    ? repeatingFromHere(known, { ...deps, action: `${deps.prefix}${endpoint.path}` })(request)
    : known(request);
}

async function answerHere(
  endpoint: ModuleEndpoint,
  request: HttpRequest,
  deps: OneModuleDependencies,
): Promise<HttpAnswer> {
  const { answers, cookies, authorization, sessions, authenticator, authenticators } = deps;
  const keptApart = authenticators.size > 1 ? authenticator : undefined;
  const given: ModuleAnswer = await endpoint.answer({
    parameters: browserSubmission(request),
    query: queryText(request),
    requestId: request.id,
    source: request.source,
    language: deps.language(request),
    remembered: cookies.remembered(request, keptApart),
  });
  switch (given.type) {
    case 'document': {
      const { authState } = given;
      const pending = authState === undefined ? undefined : await pendingLogin(authState, request, deps);
      if (authState !== undefined && pending?.isLate === true) return startOver(authState, request, deps);
      return answers.document(given, shownFor(pending?.request));
    }
    case 'redirect':
      return answers.redirect(request, given.location);
    case 'resume': {
      const submission = withAuthState(given.submission, given.authState);
      const answered = await authorization.login(submission, cookies.read(request), authenticator);
      const shown = await loginAnswer(answered, request, deps);
      // Only after `login` has accepted the state: a request that another site causes must not store anything.
      if (given.remember === undefined) return shown;
      return withCookies(shown, cookies.remember(given.remember, keptApart));
    }
    case 'choice': {
      const pending = await pendingLogin(given.authState, request, deps);
      if (pending.isLate) return startOver(given.authState, request, deps);
      const page = choicePage(endpoint, given, pending.request, deps);
      const languages = pending.request?.uiLocales;
      return answers.page(request, page, {
        ...(given.status !== undefined && { status: given.status }),
        ...(languages && { languages }),
      });
    }
    case 'logout': {
      const { key, isMeant = () => true, onEnded, location, document } = given;
      const origin = { clientId: undefined, source: request.source };
      if (key !== undefined) await sessions.endLinked(key, isMeant, origin);
      await onEnded?.();
      if (document !== undefined) return answers.document(document);
      if (location !== undefined) return answers.redirect(request, location);
      const resumed = await deps.logout.resume(cookies.read(request));
      return resumed === undefined
        ? answers.redirect(request, `${deps.prefix}/logout`)
        : logoutAnswer(resumed, request, deps);
    }
  }
}

/** What came of a test login is kept for the administrator who waits for it, and the page of the GUI says that it is there. */
async function loginAnswer(
  answered: AuthorizationAnswer,
  request: HttpRequest,
  deps: OneModuleDependencies,
): Promise<HttpAnswer> {
  if (answered.type !== 'triedLogin') return authorizationAnswer(answered, request, deps);
  await deps.testLogins.finish(answered);
  const query = new URLSearchParams({ state: answered.testId });
  return deps.answers.redirect(request, `${deps.prefix}/client/login-test.html?${query}`, answered.cookies);
}

function choicePage(
  { path }: ModuleEndpoint,
  given: ChoiceAnswer,
  pending: AuthorizationRequest | undefined,
  deps: OneModuleDependencies,
): ChoicePage {
  const { authState, query, choices, matches, last } = given;
  const action = `${deps.prefix}${path}`;
  const shown = (choice: ChoiceAnswer['choices'][number]) => ({
    ...choice,
    url: `${action}?auth_state=${encodeURIComponent(authState)}&choice=${encodeURIComponent(choice.value)}`,
  });
  return {
    page: 'choice',
    action,
    authState,
    ...shownCancelling(pending, 'login', deps.prefix),
    chooserUrl: chooserUrl(deps),
    query,
    choices: choices.map(shown),
    matches,
    last: last && shown(last),
    ...messageOf(given),
  };
}

/** The login of the page has taken too long, so its request starts again, and with it the login. */
async function startOver(
  authState: string,
  request: HttpRequest,
  deps: OneModuleDependencies,
): Promise<HttpAnswer> {
  const { authorization, cookies, authenticator } = deps;
  const submission = withAuthState(new Map(), authState);
  return authorizationAnswer(
    await authorization.login(submission, cookies.read(request), authenticator),
    request,
    deps,
  );
}

/** @throws OAuthError for a state of another browser */
function pendingLogin(
  authState: string,
  request: HttpRequest,
  { authorization, cookies, authenticator }: OneModuleDependencies,
): Promise<PendingLogin> {
  return authorization.pendingLogin(
    withAuthState(new Map(), authState),
    cookies.read(request),
    authenticator,
  );
}

function withAuthState(submission: Submission, authState: string): Submission {
  return new Map([...submission, ['auth_state', [authState]]]);
}
