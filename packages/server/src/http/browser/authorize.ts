import {
  type Authenticators,
  type AuthorizationAnswer,
  type AuthorizationEndpoint,
  type ConsentModule,
  type ConsentPageAnswer,
  destinationOf,
  type LoginPageAnswer,
  type LoginStep,
  OAuthError,
  protocolErrors,
} from '@watchword/protocol';
import type { HttpAnswer } from '../answer.ts';
import type { BrowserCookieJar } from '../browser-cookies.ts';
import { authorizationUriLimit } from '../connections/header-limits.ts';
import type { Endpoint, Handler } from '../endpoint.ts';
import { browserSubmission } from '../form.ts';
import type { HttpRequest } from '../request.ts';
import { authenticatorsPage, choiceUrl, chooserPath } from './authenticators-page.ts';
import {
  answeredPage,
  consentPage,
  type FirstAdministratorDependencies,
  loginPage,
  loginStepPage,
  noticePage,
  requestErrorPage,
  selectAccountPage,
  signUpForm,
} from './authorization-pages.ts';
import type { BrowserAnswers } from './browser-answers.ts';
import { repeatingFromHere } from './posted-request.ts';
import type { Shown } from './restart-message.ts';
import { cancelPaths, loginPaths, shownFor } from './shown.ts';

export interface AuthorizationRouteDependencies extends FirstAdministratorDependencies {
  readonly authorization: AuthorizationEndpoint;
  readonly answers: BrowserAnswers;
  readonly cookies: BrowserCookieJar;
  /** Path of the base URL, `''` when it has none. */
  readonly prefix: string;
  readonly authenticators: Authenticators;
  readonly loginSteps: readonly LoginStep[];
  readonly consent: Pick<ConsentModule, 'insecureBecause'>;
}

const loginStepPath = '/login/step';
/** Where a person agrees to link another identity provider to the account. */
export const linkPath = '/account/link';

/** `/authorize` (RFC 6749 §3.1) and the forms of its pages: `POST /login`, `POST /consent` and others. */
export function authorizationRoutes(deps: AuthorizationRouteDependencies): Endpoint[] {
  const { authorization, cookies } = deps;
  const answering =
    (answer: AuthorizationEndpoint['authorize']): Handler =>
    async (request) =>
      authorizationAnswer(await answer(browserSubmission(request), cookies.read(request)), request, deps);

  const authorize = answering(authorization.authorize);
  return [
    ...['/authorize', '/oauth2/authorize'].map((path) => ({
      path,
      page: true,
      hasEffects: true,
      uriLimit: authorizationUriLimit,
      methods: {
        GET: authorize,
        POST: repeatingFromHere(authorize, deps, authorization.foresee),
      },
    })),
    chooserRoute(deps),
    ...cancelStages(deps).map((stage) => ({
      path: cancelPaths[stage],
      page: true,
      hasEffects: true,
      methods: {
        POST: answering((submission, browser) => authorization.cancel(stage, submission, browser)),
      },
    })),
    ...besideStages(deps).map((stage) => ({
      path: loginPaths[stage],
      page: true,
      hasEffects: true,
      methods: { POST: answering((submission, browser) => authorization.logIn(stage, submission, browser)) },
    })),
    ...stepRoutes(deps, {
      '/login': answering((submission, browser) => authorization.login(submission, browser)),
      ...(deps.loginSteps.length > 0 && { [loginStepPath]: answering(authorization.loginStep) }),
      '/select': answering(authorization.selectAccount),
      '/consent': answering(authorization.consent),
      '/switch': answering(authorization.switchOwner),
      '/again': answering(authorization.startAgain),
    }),
  ];
}

/** The stages of pages with "Cancel". */
function cancelStages({ signUpUrl }: AuthorizationRouteDependencies) {
  const stages = ['login', 'step', 'select'] as const;
  return signUpUrl === undefined ? stages : ([...stages, 'signUp'] as const);
}

/** The stages of pages beside a login. */
function besideStages({ forgottenUrl, signUpUrl }: AuthorizationRouteDependencies) {
  return (['forgotten', 'signUp'] as const).filter(
    (stage) => (stage === 'signUp' ? signUpUrl : forgottenUrl) !== undefined,
  );
}

/**
 * The steps of a request, which forms post. A browser asks for their addresses too: by a bookmark, or by a reload without the form. It goes
 * on with its login that waits at another server.
 */
function stepRoutes(
  deps: AuthorizationRouteDependencies,
  steps: Readonly<Record<string, Handler>>,
): Endpoint[] {
  const { authorization, answers, cookies, prefix } = deps;
  const accountUrl = `${prefix}/account`;
  const leadOn =
    (path: string): Handler =>
    async (request) => {
      const resumed = await authorization.resume(cookies.read(request));
      if (resumed !== undefined) return authorizationAnswer(resumed, request, deps);
      // A login page is bookmarked by those who want to log in; the other steps are of one application.
      return path === '/login'
        ? answers.redirect(request, accountUrl)
        : answers.page(request, { page: 'step', accountUrl });
    };
  return Object.entries(steps).map(([path, step]) => ({
    path,
    page: true,
    hasEffects: true,
    methods: { GET: leadOn(path), POST: step },
  }));
}

/** The page on which users choose between several authenticators. */
function chooserRoute(deps: AuthorizationRouteDependencies): Endpoint {
  const { authorization, answers, authenticators, cookies, prefix } = deps;
  /** Further authenticators can come while the server runs. */
  const requireChoice = () => {
    if (authenticators.size < 2) throw new OAuthError('unknown_address');
  };
  return {
    path: chooserPath,
    page: true,
    hasEffects: true,
    methods: {
      GET: async (request) => {
        requireChoice();
        const answer = await authorization.choose(browserSubmission(request), cookies.read(request));
        return authorizationAnswer(answer, request, deps);
      },
      // A login page posts this form. The redirect leads to a page that Back can show without sending the form again.
      POST: async (request) => {
        requireChoice();
        const submission = new Map([['auth_state', browserSubmission(request).get('auth_state') ?? []]]);
        const answer = await authorization.choose(submission, cookies.read(request));
        return answer.type === 'authenticators'
          ? answers.redirect(request, choiceUrl(answer.authState, prefix), answer.cookies)
          : authorizationAnswer(answer, request, deps);
      },
    },
  };
}

/** The answer for an outcome of the flow: a page or a redirect. */
export function authorizationAnswer(
  decided: AuthorizationAnswer,
  request: HttpRequest,
  deps: AuthorizationRouteDependencies,
): HttpAnswer {
  return { error: decided.error?.kind, rule: decided.error?.rule, ...answerOf(decided, request, deps) };
}

function answerOf(
  decided: AuthorizationAnswer,
  request: HttpRequest,
  deps: AuthorizationRouteDependencies,
): HttpAnswer {
  const { answers, prefix } = deps;
  const { cookies } = decided;
  switch (decided.type) {
    case 'redirect':
      return answers.redirect(request, decided.location, cookies);
    case 'notice':
      return answers.page(request, noticePage(decided), { cookies });
    case 'formPost':
      return answers.forward(request, decided.location, { cookies, fields: decided.fields });
    case 'forward':
      return answers.forward(request, decided.location, {
        cookies,
        ...(decided.fields && { fields: decided.fields }),
      });
    case 'error': {
      const { error, response, target } = decided;
      const { status } = protocolErrors[error.kind];
      const isForm = response !== undefined && 'fields' in response;
      const options = { status, cookies, ...(isForm && { destination: destinationOf(target) }) };
      return answers.page(request, requestErrorPage(decided, request.id), options);
    }
    case 'answered': {
      const page = answeredPage(decided, `${prefix}/again`);
      const options = { status: 400, cookies, ...shownFor(decided.request) };
      return { ...answers.page(request, page, options), error: 'invalid_auth_state' };
    }
    case 'authenticators':
      return answers.page(request, authenticatorsPage(decided, deps), {
        cookies,
        ...shownFor(decided.request),
      });
    case 'selectAccount': {
      const page = selectAccountPage(decided, prefix);
      return answers.page(request, page, { cookies, ...shownFor(decided.request) });
    }
    case 'loginStep': {
      const { status, retryAfter } = decided.form;
      const page = loginStepPage(decided, `${prefix}${loginStepPath}`, prefix);
      const options = { status, retryAfter, cookies, ...shownFor(decided.request) };
      return answers.page(request, page, options);
    }
    // Its addresses keep what came before (`module-routes.ts`); a form of a module has no test.
    case 'triedLogin':
      throw new OAuthError('invalid_auth_state');
    case 'identified': {
      const query = new URLSearchParams({ auth_state: decided.authState });
      return answers.redirect(request, `${prefix}${linkPath}?${query}`, cookies);
    }
    case 'signUp': {
      const page = { ...signUpForm(decided.request, prefix), authState: decided.authState };
      return answers.page(request, page, { cookies, ...shownFor(decided.request) });
    }
    case 'login':
    case 'consent':
      return formPageAnswer(decided, request, deps);
  }
}

function formPageAnswer(
  decided: Shown<LoginPageAnswer | ConsentPageAnswer> & Pick<AuthorizationAnswer, 'cookies'>,
  request: HttpRequest,
  deps: AuthorizationRouteDependencies,
): HttpAnswer {
  const { status, retryAfter } = decided.step;
  const page =
    decided.type === 'login'
      ? loginPage(decided, deps)
      : consentPage(decided, deps.prefix, deps.consent.insecureBecause);
  return deps.answers.page(request, page, {
    ...{ cookies: decided.cookies, status, retryAfter },
    ...shownFor(decided.request),
  });
}
