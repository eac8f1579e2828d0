import {
  type AuthorizationEndpoint,
  type AuthorizationEndpointAnswer,
  type Client,
  type ConsentPageAnswer,
  displayName,
  type FormStep,
  type LoginPageAnswer,
  type ResourceOwner,
} from '@watchword/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConsentPage, LoginPage } from '../pages/page.ts';
import { redirectTarget } from '../pages/redirect-target.ts';
import type { BrowserAnswers } from './browser-answers.ts';
import type { BrowserCookieJar } from './browser-cookies.ts';
import type { Endpoint, Handler } from './endpoint.ts';
import { browserSubmission } from './form.ts';

export interface AuthorizationRouteDependencies {
  readonly authorization: AuthorizationEndpoint;
  readonly answers: BrowserAnswers;
  readonly cookies: BrowserCookieJar;
  /** Path of the base URL, `''` when it has none. */
  readonly prefix: string;
  /** Why the modules in use must not decide outside of development. */
  readonly insecureBecause: { readonly login: string | undefined; readonly consent: string | undefined };
}

/** `/authorize` (RFC 6749 §3.1) and the two forms on the way: `POST /login`, `POST /consent`. */
export function authorizationRoutes(world: AuthorizationRouteDependencies): Endpoint[] {
  const { authorization, cookies } = world;
  const answering =
    (answer: AuthorizationEndpoint['authorize']): Handler =>
    async (request, reply) =>
      sendAuthorizationAnswer(
        await answer(browserSubmission(request), cookies.read(request)),
        request,
        reply,
        world,
      );

  const authorize = answering(authorization.authorize);
  return [
    ...['/authorize', '/oauth2/authorize'].map((path) => ({
      path,
      page: true,
      methods: { GET: authorize, POST: authorize },
    })),
    { path: '/login', page: true, methods: { POST: answering(authorization.login) } },
    { path: '/consent', page: true, methods: { POST: answering(authorization.consent) } },
  ];
}

/** Shows what the rules decided, or sends the browser on. */
export function sendAuthorizationAnswer(
  answer: AuthorizationEndpointAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
  { answers, prefix, insecureBecause }: AuthorizationRouteDependencies,
): string | FastifyReply {
  const { cookies } = answer;
  if (answer.type === 'redirect') {
    reply.refusal = answer.refusal ?? null;
    return answer.isLogin
      ? answers.forward(request, reply, answer.location, { cookies })
      : answers.redirect(reply, answer.location, cookies);
  }
  if (answer.type === 'post') {
    return answers.forward(request, reply, answer.location, { fields: answer.fields, cookies });
  }
  const { status, retryAfter } = answer.step;
  const page =
    answer.type === 'login'
      ? loginPage(answer, `${prefix}/login`, insecureBecause.login)
      : consentPage(answer, prefix, insecureBecause.consent);
  return answers.page(request, reply, page, {
    cookies,
    ...(status !== undefined && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(answer.request && { redirectUri: answer.request.redirectUri }),
  });
}

function loginPage(
  { step, authState, client, resourceServer }: LoginPageAnswer,
  action: string,
  insecureBecause: string | undefined,
): LoginPage {
  return {
    page: 'login',
    action,
    authState,
    client: client && shownClient(client),
    resourceServer: resourceServer && { name: resourceServer.name },
    fields: step.fields,
    ...messageOf(step),
    insecureBecause,
  };
}

function consentPage(
  { step, authState, request, client, resourceServer, owner, scopes, consented }: ConsentPageAnswer,
  prefix: string,
  insecureBecause: string | undefined,
): ConsentPage {
  const { ticked = scopes } = step;
  const { redirectHost } = redirectTarget(request.redirectUri);
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
    logoutUrl: `${prefix}/logout`,
  };
}

/** What a module says above its form; only an error status makes it a problem. */
export function messageOf({ message, status = 200 }: Pick<FormStep, 'message' | 'status'>) {
  return { message, isNeutral: status < 400 };
}

/** A client as pages show it. */
export function shownClient({ clientName, description, thumbNailUrl }: Client) {
  return { name: clientName, description, picture: thumbNailUrl };
}

/** A person as pages show them. */
export function shownOwner({ principal }: ResourceOwner) {
  return { name: principal.name, displayName: displayName(principal) };
}
