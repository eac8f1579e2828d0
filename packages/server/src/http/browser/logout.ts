import type { LoggedOut, LogoutEndpoint, LogoutQuestion, Submission } from '@watchword/protocol';
import type { LoggedOutPage, LogoutPage } from '../../pages/model/logout-page.ts';
import { type HttpAnswer, withHeaders } from '../answer.ts';
import type { BrowserCookieJar } from '../browser-cookies.ts';
import { authorizationUriLimit } from '../connections/header-limits.ts';
import type { Endpoint, Handler } from '../endpoint.ts';
import { browserSubmission } from '../form.ts';
import type { HttpRequest } from '../request.ts';
import type { BrowserAnswers } from './browser-answers.ts';
import { repeatingFromHere } from './posted-request.ts';
import { lateMessage } from './restart-message.ts';
import { shownClient, shownOwner } from './shown.ts';

export interface LogoutRouteDependencies {
  readonly logout: LogoutEndpoint;
  readonly answers: BrowserAnswers;
  readonly cookies: BrowserCookieJar;
  /** Path of the base URL, `''` when it has none. */
  readonly prefix: string;
}

/** Seconds for which the page stays that loads the front-channel logout URIs, before the browser goes on. */
const frameTime = 3;

/** `/logout` is for the user, and `/oauth2/logout` for clients (OpenID Connect RP-Initiated Logout §2). */
export function logoutRoutes(deps: LogoutRouteDependencies): Endpoint[] {
  const { logout, cookies } = deps;
  const answering =
    (answer: LogoutEndpoint['begin'], parametersOf: (request: HttpRequest) => Submission): Handler =>
    async (request) =>
      logoutAnswer(await answer(parametersOf(request), cookies.read(request)), request, deps);
  const begin = answering(logout.begin, browserSubmission);
  return [
    {
      path: '/logout',
      page: true,
      hasEffects: true,
      methods: {
        GET: answering(logout.begin, () => new Map()),
        POST: answering(logout.confirm, browserSubmission),
      },
    },
    {
      path: '/oauth2/logout',
      page: true,
      hasEffects: true,
      uriLimit: authorizationUriLimit,
      methods: { GET: begin, POST: repeatingFromHere(begin, deps) },
    },
  ];
}

/** The answer for the end of a session, or the question before it. */
export function logoutAnswer(
  answer: LogoutQuestion | LoggedOut,
  request: HttpRequest,
  { answers, prefix }: Omit<LogoutRouteDependencies, 'logout'>,
): HttpAnswer {
  const { cookies, languages } = answer;
  if (answer.type === 'ask') {
    return answers.page(request, logoutPage(answer, prefix), { cookies, languages });
  }
  const { location, frames } = answer;
  if (location !== undefined && frames.length === 0) return answers.forward(request, location, { cookies });
  const page = answers.page(request, loggedOutPage(answer, prefix), { cookies, languages });
  return location === undefined ? page : withHeaders(page, { refresh: `${frameTime}; url=${location}` });
}

function logoutPage(
  { owner, client, authState, isLate = false }: LogoutQuestion,
  prefix: string,
): LogoutPage {
  return {
    page: 'logout',
    action: `${prefix}/logout`,
    authState,
    owner: shownOwner(owner),
    client: client && shownClient(client),
    ...(isLate && lateMessage),
  };
}

/** It links to the account page, and so to a new login. */
function loggedOutPage({ location, offered, frames }: LoggedOut, prefix: string): LoggedOutPage {
  return {
    page: 'logged-out',
    accountUrl: `${prefix}/account`,
    goOn: location === undefined ? undefined : { url: location },
    client: offered && { ...shownClient(offered.client), url: offered.location },
    frames,
  };
}
