import { shellCommand } from '@watchword/protocol';
import { broken, type Finding, ok, skipped } from '../finding.ts';
import { cookieFindings, headerFindings } from '../page.ts';
import { jsonOf, type Reply, shownReply } from '../send.ts';
import { answerSteps } from './answer.ts';
import { type AuthorizationRequest, authorizationRequest } from './authorization-request.ts';
import { Browser, type Visit } from './browser.ts';
import { type ClientRequests, clientRequests } from './client-requests.ts';
import { type Flow, type NamedFindings, named, type Steps } from './flow.ts';
import { missing } from './missing.ts';
import type { PageForm } from './read-page.ts';
import { errorsAdvice } from './registration.ts';

/** Authorization request, login, consent, and what the client does with the answer. */
export async function* userSteps(flow: Flow): Steps {
  const browser = new Browser(flow.server);
  const request = authorizationRequest(flow);
  const isPushed = demandsPushed(flow);
  const requests = isPushed ? yield* clientRequests(flow, 'pushed-request') : undefined;
  if (isPushed && requests === undefined) return;
  const url = requests === undefined ? request.url : yield* pushed(request, requests, flow);
  let visit = await browser.open(url);
  yield* named('authorization', [authorizationFinding(visit, flow)]);
  if (visit.page.forms.length > 0) {
    const { reply } = visit;
    yield* named('login-page', [...headerFindings(reply), ...cookieFindings(reply, flow.server.baseUrl)]);
  }
  if (flow.login === undefined) {
    yield* named('login', [skipped('no user logs in', 'add --login <username> to play the flow to its end')]);
    return;
  }
  try {
    const login = formWith(visit, 'username');
    if (login !== undefined) {
      const fields = await loginFields(login, flow);
      if (fields === undefined) {
        yield* named('login', [missing('password', flow.login)]);
        return;
      }
      visit = await browser.submit(login, fields);
      yield* named('login', loginFindings(visit, flow));
    }
    const consent = formWith(visit, 'decision');
    if (consent !== undefined) {
      visit = await browser.submit(consent, { decision: 'allow' });
      yield* named('consent', consentFindings(visit, flow));
    }
    yield* answerOf(visit, request, flow, requests);
  } finally {
    await logOut(browser, flow);
  }
}

function demandsPushed({ client, server: { metadata } }: Flow): boolean {
  return client.requirePushedAuthorizationRequests || metadata.require_pushed_authorization_requests === true;
}

/** Pushes the request (RFC 9126). @returns where the browser begins then */
async function* pushed(
  { url }: AuthorizationRequest,
  requests: ClientRequests,
  flow: Flow,
): NamedFindings<string> {
  const begin = new URL(url);
  const parameters = Object.fromEntries(begin.searchParams);
  const reply = await requests.post('pushed_authorization_request_endpoint', parameters);
  const { request_uri } = jsonOf(reply);
  const cure = { expected: 'status 201 and a request_uri', advice: errorsAdvice(flow) };
  yield* named('pushed-request', [
    reply.status === 201 && typeof request_uri === 'string'
      ? ok('the server takes the pushed authorization request')
      : broken(`the pushed authorization request is answered with ${shownReply(reply)}`, cure),
  ]);
  const { clientId } = flow.client;
  begin.search = new URLSearchParams({ client_id: clientId, request_uri: String(request_uri) }).toString();
  return begin.href;
}

async function* answerOf(
  visit: Visit,
  request: AuthorizationRequest,
  flow: Flow,
  requests: ClientRequests | undefined,
): Steps {
  const { leavesTo } = visit;
  if (leavesTo?.startsWith(request.redirectUri)) return yield* answerSteps(leavesTo, request, flow, requests);
  const authenticators = 'the login page of a module of its own';
  const found =
    leavesTo === undefined
      ? `the login goes on with ${authenticators}: "${visit.page.text}"`
      : `the login goes on at ${new URL(leavesTo).host}`;
  yield* named('login', [
    skipped(
      found,
      'the command fills in user name and password only. Log in with a browser; or name an authenticator by --authenticator',
    ),
  ]);
}

function authorizationFinding(visit: Visit, flow: Flow): Finding {
  const { reply, page, leavesTo } = visit;
  const show = shellCommand('watchword client show {client}', { client: flow.client.clientId });
  const advice = `${errorsAdvice(flow)}; ${show} shows its registration`;
  const expected = 'the login page, or an answer for the client';
  if (leavesTo !== undefined) {
    const target = new URL(leavesTo);
    const parameters = new URLSearchParams(target.search || target.hash.slice(1));
    const [error, description] = [parameters.get('error'), parameters.get('error_description')];
    if (error === null) return ok(`the authorization request leads to ${target.host}`);
    return broken(`the authorization request is answered with the error ${error}: ${description ?? ''}`, {
      expected,
      advice,
    });
  }
  if (reply.status === 200) return ok('the authorization request leads to a page for the user');
  return broken(`the authorization request is answered with status ${reply.status}: "${page.text}"`, {
    expected,
    advice,
  });
}

/** `undefined` if a password is needed and not known. */
async function loginFields(login: PageForm, { login: username = '', secrets, server }: Flow) {
  if (!login.names.has('password')) return { username };
  const password = await secrets.find('password', username);
  // This authenticator accepts every password, so it needs none.
  const acceptsAny = server.configuration?.authenticator === 'form';
  return password === undefined && !acceptsAny ? undefined : { username, password: password ?? '' };
}

function loginFindings(visit: Visit, flow: Flow): readonly Finding[] {
  const { reply, page } = visit;
  const { login = '' } = flow;
  if (formWith(visit, 'username') === undefined && reply.status < 400)
    return [ok(`the login of ${login} is accepted`)];
  return [
    broken(`the login of ${login} is answered with status ${reply.status}: "${page.text}"`, {
      expected: 'the next step of the flow',
      advice: adviceOnLogin(reply, flow),
    }),
  ];
}

function adviceOnLogin({ status }: Reply, flow: Flow): string {
  if (status >= 500) return 'the log of the server has the reason, under the reference that the page shows';
  return `check user name and password ("watchword user list" shows local accounts); ${errorsAdvice(flow)}`;
}

function consentFindings(visit: Visit, flow: Flow): readonly Finding[] {
  const { reply, page } = visit;
  const { client, login = '' } = flow;
  if (reply.status < 400) return [ok(`${login} allows ${client.clientName} what it requests`)];
  return [
    broken(`the consent is answered with status ${reply.status}: "${page.text}"`, {
      expected: 'an answer for the client',
      advice: errorsAdvice(flow),
    }),
  ];
}

function formWith({ page }: Visit, name: string): PageForm | undefined {
  return page.forms.find(({ names }) => names.has(name));
}

/** Ends the login session of this flow. It is a courtesy: the session of a browser that ends is of no use to anybody. */
async function logOut(browser: Browser, { server }: Flow): Promise<void> {
  try {
    const question = await browser.open(`${server.baseUrl}/logout`);
    const form = question.page.forms.find(({ action }) => browser.isWithinServer(action));
    if (form !== undefined) await browser.submit(form, {});
  } catch {
    // The flow has its findings already.
  }
}
