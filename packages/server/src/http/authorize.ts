import {
  type AnsweredPageAnswer,
  type Authenticators,
  type AuthorizationAnswer,
  type AuthorizationEndpoint,
  type ConsentModule,
  type ConsentPageAnswer,
  type ErrorPageAnswer,
  type FormStep,
  type LoginPageAnswer,
  protocolErrors,
} from '@watchword/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorPage } from '../pages/error-page.ts';
import type { AnsweredPage, ConsentPage, ErrorPage, LoginPage } from '../pages/page.ts';
import { redirectTarget } from '../pages/redirect-target.ts';
import { authenticatorsPage, choiceUrl, chooserPath, chooserUrl } from './authenticators-page.ts';
import type { BrowserAnswers } from './browser-answers.ts';
import type { BrowserCookieJar } from './browser-cookies.ts';
import type { Endpoint, Handler } from './endpoint.ts';
import { browserSubmission } from './form.ts';
import { authorizationUriLimit } from './header-limits.ts';
import { repeatingFromHere } from './posted-request.ts';
import { shownAsking, shownClient, shownOwner } from './shown.ts';

export interface AuthorizationRouteDependencies {
  readonly authorization: AuthorizationEndpoint;
  readonly answers: BrowserAnswers;
  readonly cookies: BrowserCookieJar;
  /** Path of the base URL, `''` when it has none. */
  readonly prefix: string;
  readonly authenticators: Authenticators;
  readonly consent: Pick<ConsentModule, 'insecureBecause'>;
}

/** `/authorize` (RFC 6749 §3.1) and the forms on the way: `POST /login`, `POST /consent` and others. */
export function authorizationRoutes(deps: AuthorizationRouteDependencies): Endpoint[] {
  const { authorization, cookies } = deps;
  const answering =
    (answer: AuthorizationEndpoint['authorize']): Handler =>
    async (request, reply) =>
      sendAuthorizationAnswer(
        await answer(browserSubmission(request), cookies.read(request)),
        request,
        reply,
        deps,
      );

  const authorize = answering(authorization.authorize);
  return [
    ...['/authorize', '/oauth2/authorize'].map((path) => ({
      path,
      page: true,
      hasEffects: true,
      uriLimit: authorizationUriLimit,
      methods: { GET: authorize, POST: repeatingFromHere(authorize, deps) },
    })),
    {
      path: '/login',
      page: true,
      methods: { POST: answering((submission, browser) => authorization.login(submission, browser)) },
    },
    ...(deps.authenticators.size > 1 ? [chooserRoute(deps)] : []),
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
      GET: async (request, reply) => {
        const answer = await authorization.choose(browserSubmission(request), cookies.read(request));
        return sendAuthorizationAnswer(answer, request, reply, deps);
      },
      // From the page of a login. It leads to a page that Back can show without sending a form again.
      POST: async (request, reply) => {
        const submission = new Map([['auth_state', browserSubmission(request).get('auth_state') ?? []]]);
        const answer = await authorization.choose(submission, cookies.read(request));
        return answer.type === 'authenticators'
          ? answers.redirect(reply, choiceUrl(answer.authState, prefix), answer.cookies)
          : sendAuthorizationAnswer(answer, request, reply, deps);
      },
    },
  };
}

/** Shows what the rules decided, or sends the browser on. */
export function sendAuthorizationAnswer(
  answer: AuthorizationAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: AuthorizationRouteDependencies,
): string | FastifyReply {
  const { answers, prefix } = deps;
  const { cookies } = answer;
  reply.refusal = answer.error?.kind ?? null;
  switch (answer.type) {
    case 'redirect':
      return answers.redirect(reply, answer.location, cookies);
    case 'forward':
      return answers.forward(request, reply, answer.location, {
        cookies,
        ...(answer.fields && { fields: answer.fields }),
      });
    case 'error': {
      reply.header('x-request-id', request.id);
      const { status } = protocolErrors[answer.error.kind];
      return answers.page(request, reply, requestErrorPage(answer, request.id), { status, cookies });
    }
    case 'answered': {
      reply.refusal = 'invalid_auth_state';
      const { redirectUri } = answer.request.target;
      const page = answeredPage(answer, `${prefix}/again`);
      return answers.page(request, reply, page, { status: 400, cookies, redirectUri });
    }
    case 'authenticators':
      return answers.page(request, reply, authenticatorsPage(answer, deps), { cookies });
    case 'login':
    case 'consent':
      return sendFormPage(answer, request, reply, deps);
  }
}

function sendFormPage(
  answer: (LoginPageAnswer | ConsentPageAnswer) & Pick<AuthorizationAnswer, 'cookies'>,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: AuthorizationRouteDependencies,
): string {
  const { status, retryAfter } = answer.step;
  const page =
    answer.type === 'login'
      ? loginPage(answer, deps)
      : consentPage(answer, deps.prefix, deps.consent.insecureBecause);
  return deps.answers.page(request, reply, page, {
    cookies: answer.cookies,
    ...(status !== undefined && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(answer.request && { redirectUri: answer.request.target.redirectUri }),
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
    ...messageOf(step),
    insecureBecause: deps.authenticators.get(authenticator)?.insecureBecause,
    chooserUrl: chooserUrl(deps),
  };
}

function consentPage(
  { step, authState, request, owner, consented }: ConsentPageAnswer,
  prefix: string,
  insecureBecause: string | undefined,
): ConsentPage {
  const { client, resourceServer, scopes, target } = request;
  const { ticked = scopes } = step;
  const { redirectHost } = redirectTarget(target.redirectUri);
  return {
    page: 'consent',
    action: `${prefix}/consent`,
    authState,
    client: { ...shownClient(client), redirectHost },
    resourceServer: { name: resourceServer.name, description: resourceServer.description },
    owner: shownOwner(owner),
    scopes: scopes.map((name) => ({
      name,
      ticked: ticked.includes(name),
      isNew: !consented.includes(name),
    })),
    ...messageOf(step),
    insecureBecause,
    switchUrl: `${prefix}/switch`,
    accountUrl: `${prefix}/account`,
  };
}

/** What a module says above its form; only an error status makes it a problem. */
export function messageOf({ message, status = 200 }: Pick<FormStep, 'message' | 'status'>) {
  return { message, isNeutral: status < 400 };
}

function requestErrorPage({ error, response }: ErrorPageAnswer, requestId: string): ErrorPage {
  const { redirectHost: host } = redirectTarget(response.location);
  return { ...errorPage(error, requestId), goOn: { url: response.location, host } };
}

function answeredPage({ authState, request }: AnsweredPageAnswer, action: string): AnsweredPage {
  return { page: 'answered', action, authState, client: shownClient(request.client) };
}
