import {
  type AnsweredPageAnswer,
  type Authenticators,
  type AuthorizationAnswer,
  type AuthorizationEndpoint,
  type ConsentModule,
  type ConsentPageAnswer,
  type ErrorPageAnswer,
  type FormStep,
  forbidsPages,
  type LoginPageAnswer,
  protocolErrors,
  type SelectAccountPageAnswer,
} from '@watchword/protocol';
import { errorPage } from '../pages/error-page.ts';
import type { AnsweredPage, ConsentPage, ErrorPage, LoginPage, SelectAccountPage } from '../pages/page.ts';
import { redirectTarget } from '../pages/redirect-target.ts';
import type { HttpAnswer } from './answer.ts';
import { authenticatorsPage, choiceUrl, chooserPath, chooserUrl } from './authenticators-page.ts';
import type { BrowserAnswers } from './browser-answers.ts';
import type { BrowserCookieJar } from './browser-cookies.ts';
import { authorizationUriLimit } from './connections/header-limits.ts';
import type { Endpoint, Handler } from './endpoint.ts';
import { browserSubmission } from './form.ts';
import { repeatingFromHere } from './posted-request.ts';
import type { HttpRequest } from './request.ts';
import {
  isLoginOnly,
  shownAsking,
  shownClient,
  shownFor,
  shownOwner,
  shownScopes,
  shownUnconfirmed,
} from './shown.ts';

export interface AuthorizationRouteDependencies {
  readonly authorization: AuthorizationEndpoint;
  readonly answers: BrowserAnswers;
  readonly cookies: BrowserCookieJar;
  /** Path of the base URL, `''` when it has none. */
  readonly prefix: string;
  readonly authenticators: Authenticators;
  readonly consent: Pick<ConsentModule, 'insecureBecause'>;
}

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
        POST: repeatingFromHere(authorize, deps, {
          redirectUriOf: authorization.redirectUriOf,
          forbidsPages,
        }),
      },
    })),
    {
      path: '/login',
      page: true,
      methods: { POST: answering((submission, browser) => authorization.login(submission, browser)) },
    },
    ...(deps.authenticators.size > 1 ? [chooserRoute(deps)] : []),
    { path: '/select', page: true, methods: { POST: answering(authorization.selectAccount) } },
    { path: '/consent', page: true, methods: { POST: answering(authorization.consent) } },
    { path: '/switch', page: true, methods: { POST: answering(authorization.switchOwner) } },
    { path: '/again', page: true, methods: { POST: answering(authorization.startAgain) } },
  ];
}

/** The page on which users choose between several authenticators. */
function chooserRoute(deps: AuthorizationRouteDependencies): Endpoint {
  const { authorization, answers, cookies, prefix } = deps;
  return {
    path: chooserPath,
    page: true,
    hasEffects: true,
    methods: {
      GET: async (request) => {
        const answer = await authorization.choose(browserSubmission(request), cookies.read(request));
        return authorizationAnswer(answer, request, deps);
      },
      // A login page posts this form. The redirect leads to a page that Back can show without sending the form again.
      POST: async (request) => {
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
    case 'formPost':
      return answers.forward(request, decided.location, { cookies, fields: decided.fields });
    case 'forward':
      return answers.forward(request, decided.location, {
        cookies,
        ...(decided.fields && { fields: decided.fields }),
      });
    case 'error': {
      const { error, response } = decided;
      const { status } = protocolErrors[error.kind];
      const options = { status, cookies, ...('fields' in response && { redirectUri: response.location }) };
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
      const page = selectAccountPage(decided, `${prefix}/select`);
      return answers.page(request, page, { cookies, ...shownFor(decided.request) });
    }
    case 'login':
    case 'consent':
      return formPageAnswer(decided, request, deps);
  }
}

function formPageAnswer(
  decided: (LoginPageAnswer | ConsentPageAnswer) & Pick<AuthorizationAnswer, 'cookies'>,
  request: HttpRequest,
  deps: AuthorizationRouteDependencies,
): HttpAnswer {
  const { status, retryAfter } = decided.step;
  const page =
    decided.type === 'login'
      ? loginPage(decided, deps)
      : consentPage(decided, deps.prefix, deps.consent.insecureBecause);
  return deps.answers.page(request, page, {
    cookies: decided.cookies,
    ...(status !== undefined && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...shownFor(decided.request),
  });
}

function loginPage(
  { step, authState, authenticator, request }: LoginPageAnswer,
  deps: AuthorizationRouteDependencies,
): LoginPage {
  return {
    page: 'login',
    action: `${deps.prefix}/login`,
    authState,
    ...shownAsking(request),
    fields: step.fields,
    username: request?.loginHint,
    ...messageOf(step),
    insecureBecause: deps.authenticators.get(authenticator)?.insecureBecause,
    chooserUrl: chooserUrl(deps),
  };
}

function consentPage(
  { step, authState, request, owner, scopes, consented }: ConsentPageAnswer,
  prefix: string,
  insecureBecause: string | undefined,
): ConsentPage {
  const { client, resourceServer, target } = request;
  const { ticked = scopes } = step;
  // The login has no box: it is what the resource owner allows in any case.
  const boxes = request.openid === undefined ? scopes : scopes.filter((scope) => scope !== 'openid');
  const { redirectHost } = redirectTarget(target.redirectUri);
  return {
    page: 'consent',
    action: `${prefix}/consent`,
    authState,
    client: { ...shownClient(client), redirectHost },
    unconfirmed: shownUnconfirmed(request),
    resourceServer: { name: resourceServer.name, description: resourceServer.description },
    owner: shownOwner(owner),
    isLogin: request.openid !== undefined,
    isLoginOnly: isLoginOnly(scopes, resourceServer),
    scopes: shownScopes(boxes, resourceServer).map((scope) => ({
      ...scope,
      ticked: ticked.includes(scope.name),
      isNew: !consented.includes(scope.name),
    })),
    ...messageOf(step),
    insecureBecause,
    switchUrl: `${prefix}/switch`,
    accountUrl: `${prefix}/account`,
  };
}

/** The message of a module above its form. Only an error status makes it a problem. */
export function messageOf({ message, status = 200 }: Pick<FormStep, 'message' | 'status'>) {
  return { message, isNeutral: status < 400 };
}

function requestErrorPage({ error, response }: ErrorPageAnswer, requestId: string): ErrorPage {
  const { redirectHost: host } = redirectTarget(response.location);
  return { ...errorPage(error, requestId), goOn: { ...response, host } };
}

function selectAccountPage(
  { authState, request, owner }: SelectAccountPageAnswer,
  action: string,
): SelectAccountPage {
  return { page: 'select-account', action, authState, ...shownAsking(request), owner: shownOwner(owner) };
}

function answeredPage({ authState, request }: AnsweredPageAnswer, action: string): AnsweredPage {
  return { page: 'answered', action, authState, client: shownClient(request.client) };
}
