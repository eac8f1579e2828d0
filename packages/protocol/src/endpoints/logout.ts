import { type AuthStateDependencies, AuthStates } from '../authorize/auth-state.ts';
import type { Browser, BrowserCookies } from '../authorize/browser.ts';
import { actingClient } from '../authorize/sessions/login-event.ts';
import type { LoginSessions } from '../authorize/sessions/login-sessions.ts';
import { inQuery } from '../authorize/targets/redirect.ts';
import { OAuthError } from '../model/errors/errors.ts';
import type { Client } from '../model/records/client.ts';
import type { LoginSession } from '../model/records/login-session.ts';
import type { ResourceOwner } from '../model/resource-owner.ts';
import { isPostLogoutRedirectUri, type LogoutReturn, type PendingLogout } from '../openid/logout-return.ts';
import { sessionIdFor } from '../openid/session-id.ts';
import type { Subjects } from '../openid/subjects.ts';
import type { Authenticators } from '../ports/modules/authenticators.ts';
import type { Submission } from '../ports/modules/module-step.ts';
import type { SessionClientStore } from '../ports/stores/logins/session-client-store.ts';
import type { Registry } from '../ports/stores/registry.ts';
import { frontChannelFrames } from './front-channel-logout.ts';
import {
  type LogoutRequest,
  type LogoutRequestDependencies,
  namedClient,
  readLogoutRequest,
} from './logout-request.ts';
import { type RequestErrorReporting, reportRequestError } from './report-request-error.ts';

export interface LogoutDependencies
  extends AuthStateDependencies,
    LogoutRequestDependencies,
    RequestErrorReporting {
  readonly sessions: LoginSessions;
  /** The authenticators whose sessions are valid. Each can end the session at its identity provider. */
  readonly authenticators: Authenticators;
  readonly sessionClients: Pick<SessionClientStore, 'list'>;
  readonly subjects: Pick<Subjects, 'subjectFor'>;
  /** The key of all subjects, see `SubjectKeyStore`. */
  readonly subjectSecret: Uint8Array;
  /** Whether the page after a logout loads the front-channel logout URIs of clients. */
  readonly usesFrontChannel: boolean;
}

interface Shown {
  readonly cookies: BrowserCookies;
  /** The languages that the client requests for pages, best first (BCP 47). */
  readonly languages: readonly string[];
}

/** The question before a logout that the user has not asked for here. */
export interface LogoutQuestion extends Shown {
  readonly type: 'ask';
  readonly owner: ResourceOwner;
  /** The client that asks for the logout; `undefined` if it is the user alone. */
  readonly client: Client | undefined;
  readonly authState: string;
  /** The question comes again, because its page had been open for too long. */
  readonly isLate?: boolean;
}

export interface LoggedOut extends Shown {
  readonly type: 'loggedOut';
  /** The URL to which the browser goes on: the identity provider, where the session ends too, or the client. */
  readonly location: string | undefined;
  /** The client to which the user can return by a link. */
  readonly offered: OfferedReturn | undefined;
  /** URLs that the page loads in frames, so that clients end their sessions (Front-Channel Logout §3). */
  readonly frames: readonly string[];
}

export interface OfferedReturn {
  readonly client: Client;
  readonly location: string;
}

/** Logout by the user, and by a client that asks for it (OpenID Connect RP-Initiated Logout 1.0). */
export interface LogoutEndpoint {
  /**
   * Logs out at once only where `id_token_hint` names the user who is logged in: no other request shows that the user has asked
   * for it.
   *
   * @throws OAuthError `invalid_request`
   */
  begin(parameters: Submission, browser: Browser): Promise<LogoutQuestion | LoggedOut>;
  /** The answer to the question. @throws OAuthError `unbound_submission`, `invalid_auth_state` */
  confirm(submission: Submission, browser: Browser): Promise<LogoutQuestion | LoggedOut>;
  /**
   * The browser comes back from the identity provider after a logout. Any site can lead it here, so the answer is the question if
   * a user is logged in. `undefined` if no logout of a client waits in this browser: then the user goes on as without a client.
   */
  resume(browser: Browser): Promise<LogoutQuestion | LoggedOut | undefined>;
}

// The place of the one logout that waits in a browser while it is at the identity provider.
const waitingHandle = 'ffffffff-ffff-7fff-bfff-ffffffffffff';

interface Context extends LogoutDependencies {
  readonly authStates: AuthStates;
}

export function logoutEndpoint(deps: LogoutDependencies): LogoutEndpoint {
  const context: Context = { ...deps, authStates: new AuthStates(deps) };
  const { registry, sessions, authenticators } = deps;
  const current = (browser: Browser) => sessions.current(browser, authenticators);
  return {
    async begin(parameters, browser) {
      const request = await readReported(parameters, browser, deps);
      const session = await current(browser);
      if (session === undefined) return withoutSession(request, deps);
      return isNamed(request, session, deps)
        ? end(session, request, browser, context)
        : ask(session, request.client, request, browser, context);
    },

    async confirm(submission, browser) {
      const { state, isLate } = await context.authStates.openLate('logout', submission, browser);
      const { sessionId, logout = nothing } = state;
      const session = await current(browser);
      // Nobody has to be logged out any more, and a late page leads nowhere by itself.
      if (isLate && session === undefined)
        return { ...loggedOut(logout, { cookies: {} }, deps), location: undefined };
      if (session === undefined || (session.id === sessionId && !isLate)) {
        return end(session, { ...logout, client: askingClient(logout, registry) }, browser, context);
      }
      // Another user has logged in since the page was shown, which names the user.
      const question = ask(session, askingClient(logout, registry), logout, browser, context);
      return isLate ? { ...question, isLate } : question;
    },

    async resume(browser) {
      if (browser.waiting?.has(waitingHandle) !== true) return undefined;
      const pending = await waitingLogout(browser, context);
      const session = pending.returnTo === undefined ? await current(browser) : undefined;
      if (session !== undefined) return ask(session, undefined, nothing, browser, context);
      const cookies = { waiting: { handle: waitingHandle, authState: null } };
      return loggedOut(pending, { cookies }, deps);
    },
  };
}

/** An error is also reported to the record owner of the client, which is not authenticated: the request comes from a browser. */
async function readReported(
  parameters: Submission,
  { requestId }: Browser,
  deps: LogoutDependencies,
): Promise<LogoutRequest> {
  try {
    return await readLogoutRequest(parameters, deps);
  } catch (error) {
    const client = await namedClient(parameters, deps);
    reportRequestError(deps, 'logout', { client, isAuthenticated: false, requestId }, error);
    throw error;
  }
}

const nothing: PendingLogout = { languages: [] };

/** Whether the ID token of the request is of the user who is logged in. */
function isNamed(
  { hint, client }: LogoutRequest,
  session: LoginSession,
  { subjects, subjectSecret }: LogoutDependencies,
): boolean {
  if (hint === undefined || client === undefined) return false;
  if (hint.sid === sessionIdFor(subjectSecret, client, session.id)) return true;
  return hint.subject === subjects.subjectFor(client, session.owner);
}

/**
 * No user is logged in. The request does not show that the user of this browser has sent it: another site can do so. Only a client
 * that an administrator trusts gets the browser without an action of the user (RFC 9700 §4.11.2).
 */
function withoutSession(request: LogoutRequest, deps: LogoutDependencies): LoggedOut {
  const { hint, client } = request;
  const ended = loggedOut(request, { cookies: {} }, deps);
  return hint !== undefined && client?.trusted === true ? ended : { ...ended, location: undefined };
}

function ask(
  { id, owner }: LoginSession,
  client: Client | undefined,
  { returnTo, languages }: PendingLogout,
  browser: Browser,
  { authStates }: Context,
): LogoutQuestion {
  const state = { sessionId: id, logout: { returnTo, languages } };
  return { type: 'ask', owner, client, ...authStates.sealPage('logout', state, browser), languages };
}

function askingClient(
  { returnTo }: PendingLogout,
  registry: Pick<Registry, 'clientById'>,
): Client | undefined {
  return returnTo && registry.clientById(returnTo.clientRecordId);
}

async function end(
  session: LoginSession | undefined,
  pending: PendingLogout & Pick<LogoutRequest, 'client'>,
  browser: Browser,
  context: Context,
): Promise<LoggedOut> {
  const { sessions, sessionClients, authenticators, usesFrontChannel } = context;
  const link = session && (await sessions.linkOf(session));
  const clients = session !== undefined && usesFrontChannel ? await sessionClients.list(session.id) : [];
  // Before the identity provider: if the logout there fails, the user is logged out here all the same.
  await sessions.end(browser, { ...actingClient(pending.client), source: browser.source });
  const authenticator = session && authenticators.get(session.authenticator);
  const elsewhere = link === undefined ? undefined : await authenticator?.logout?.(link.data);
  const waiting = elsewhere !== undefined && pending.returnTo ? waitAt(pending, browser, context) : {};
  const frames = frontChannelFrames(clients, context);
  return loggedOut(pending, { cookies: { session: null, ...waiting }, elsewhere, frames }, context);
}

function loggedOut(
  { returnTo, languages }: PendingLogout,
  ended: Pick<LoggedOut, 'cookies'> & {
    readonly elsewhere?: string | undefined;
    readonly frames?: readonly string[];
  },
  deps: Pick<LogoutDependencies, 'registry'>,
): LoggedOut {
  const { cookies, elsewhere, frames = [] } = ended;
  const offered = returnTo && offeredReturn(returnTo, deps);
  return { type: 'loggedOut', cookies, languages, frames, offered, location: elsewhere ?? offered?.location };
}

/** The cookies with which the browser comes back from the identity provider. */
function waitAt(
  { returnTo, languages }: PendingLogout,
  browser: Browser,
  { authStates }: Context,
): BrowserCookies {
  const state = { logout: { returnTo, languages } };
  const { authState, cookies } = authStates.sealPage('loggedOut', state, browser);
  return { ...cookies, waiting: { handle: waitingHandle, authState } };
}

/** Nothing waits any more if the logout began too long ago. */
async function waitingLogout(browser: Browser, { authStates }: Context): Promise<PendingLogout> {
  try {
    const submission = new Map([['auth_state', [waitingHandle]]]);
    return (await authStates.open('loggedOut', submission, browser)).logout ?? nothing;
  } catch (error) {
    if (error instanceof OAuthError) return nothing;
    throw error;
  }
}

/** The registration can have changed since the request. */
function offeredReturn(
  { clientRecordId, redirectUri, state }: LogoutReturn,
  { registry }: Pick<LogoutDependencies, 'registry'>,
): OfferedReturn | undefined {
  const client = registry.clientById(clientRecordId);
  if (client === undefined || !isPostLogoutRedirectUri(client, redirectUri)) return undefined;
  if (state === undefined) return { client, location: redirectUri };
  return { client, location: inQuery(redirectUri, { state }) };
}
