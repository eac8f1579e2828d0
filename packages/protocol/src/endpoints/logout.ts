import { type AuthStateDependencies, AuthStates } from '../authorize/auth-state.ts';
import type { Browser, BrowserCookies } from '../authorize/browser.ts';
import type { LoginSessions } from '../authorize/sessions/login-sessions.ts';
import { redirectAnswer } from '../authorize/targets/redirect.ts';
import type { Client } from '../model/client.ts';
import { OAuthError } from '../model/errors.ts';
import type { LoginSession } from '../model/login-session.ts';
import type { ResourceOwner } from '../model/resource-owner.ts';
import type { IdTokenHint } from '../openid/id-token-hint.ts';
import { isPostLogoutRedirectUri, type LogoutReturn } from '../openid/logout-return.ts';
import { sessionIdFor } from '../openid/session-id.ts';
import type { Subjects } from '../openid/subjects.ts';
import type { Authenticators } from '../ports/authenticators.ts';
import type { Submission } from '../ports/module-step.ts';
import type { SessionClientStore } from '../ports/session-client-store.ts';
import { frontChannelFrames } from './front-channel-logout.ts';
import { type LogoutRequestDependencies, readLogoutRequest } from './logout-request.ts';

export interface LogoutDependencies extends AuthStateDependencies, LogoutRequestDependencies {
  readonly sessions: LoginSessions;
  /** The authenticators whose sessions are valid. Each can end the session at its identity provider. */
  readonly authenticators: Authenticators;
  readonly sessionClients: Pick<SessionClientStore, 'list'>;
  readonly subjects: Subjects;
  /** The key of all subjects, see `SubjectKeyStore`. */
  readonly subjectSecret: Uint8Array;
  /** Whether the page after a logout loads the front-channel logout URIs of clients. */
  readonly usesFrontChannel: boolean;
}

/** The question before a logout that the user has not asked for here. */
export interface LogoutQuestion {
  readonly type: 'ask';
  readonly owner: ResourceOwner;
  /** The client that asks for the logout; `undefined` if it is the user alone. */
  readonly client: Client | undefined;
  readonly authState: string;
  readonly cookies: BrowserCookies;
}

export interface LoggedOut {
  readonly type: 'loggedOut';
  readonly cookies: BrowserCookies;
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
  /** The browser comes back from the identity provider after a logout. */
  resume(browser: Browser): Promise<LoggedOut>;
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
      const { hint, client, returnTo } = await readLogoutRequest(parameters, deps);
      const session = await current(browser);
      if (session === undefined) return withoutSession(hint, client, returnTo, deps);
      return hint !== undefined && client !== undefined && names(hint, client, session, deps)
        ? end(session, returnTo, browser, context)
        : ask(session, client, returnTo, browser, context);
    },

    async confirm(submission, browser) {
      const state = await context.authStates.open('logout', submission, browser);
      const session = await current(browser);
      if (session === undefined || session.id === state.sessionId) {
        return end(session, state.logout, browser, context);
      }
      // Another user has logged in since the page was shown, which names the user.
      const client = state.logout && registry.clientById(state.logout.clientRecordId);
      return ask(session, client, state.logout, browser, context);
    },

    async resume(browser) {
      const isWaiting = browser.waiting?.has(waitingHandle) === true;
      const offered = isWaiting ? offeredReturn(await waitingReturn(browser, context), deps) : undefined;
      const cookies = isWaiting ? { waiting: { handle: waitingHandle, authState: null } } : {};
      return { type: 'loggedOut', frames: [], offered, location: offered?.location, cookies };
    },
  };
}

/** Whether the ID token is of the user who is logged in. */
function names(
  hint: IdTokenHint,
  client: Client,
  session: LoginSession,
  { subjects, subjectSecret }: LogoutDependencies,
): boolean {
  return (
    hint.sid === sessionIdFor(subjectSecret, client, session.id) ||
    hint.subject === subjects.subjectFor(client, session.owner)
  );
}

/**
 * Nobody is logged in. The request does not show that the user of this browser has sent it: another site can do so. Only a client
 * that an administrator trusts gets the browser without an action of the user (RFC 9700 §4.11.2).
 */
function withoutSession(
  hint: IdTokenHint | undefined,
  client: Client | undefined,
  returnTo: LogoutReturn | undefined,
  deps: LogoutDependencies,
): LoggedOut {
  const offered = offeredReturn(returnTo, deps);
  const location = hint !== undefined && client?.trusted === true ? offered?.location : undefined;
  return { type: 'loggedOut', cookies: {}, frames: [], offered, location };
}

function ask(
  session: LoginSession,
  client: Client | undefined,
  returnTo: LogoutReturn | undefined,
  browser: Browser,
  { authStates }: Context,
): LogoutQuestion {
  const binding = authStates.bindingOf(browser);
  const state = { sessionId: session.id, ...(returnTo && { logout: returnTo }) };
  const authState = authStates.seal('logout', state, binding);
  const cookies = binding === browser.binding ? {} : { binding };
  return { type: 'ask', owner: session.owner, client, authState, cookies };
}

async function end(
  session: LoginSession | undefined,
  returnTo: LogoutReturn | undefined,
  browser: Browser,
  context: Context,
): Promise<LoggedOut> {
  const { sessions, sessionClients, authenticators, usesFrontChannel } = context;
  const link = session && (await sessions.linkOf(session));
  const clients = session !== undefined && usesFrontChannel ? await sessionClients.list(session.id) : [];
  // Before the identity provider: if the logout there fails, the user is logged out here all the same.
  await sessions.end(browser, { clientId: undefined, source: browser.source });
  const authenticator = session && authenticators.get(session.authenticator);
  const elsewhere = link === undefined ? undefined : await authenticator?.logout?.(link);
  const offered = offeredReturn(returnTo, context);
  const waiting = elsewhere !== undefined && returnTo ? waitAt(returnTo, browser, context) : {};
  return {
    type: 'loggedOut',
    cookies: { session: null, ...waiting },
    location: elsewhere ?? offered?.location,
    offered,
    frames: frontChannelFrames(clients, context),
  };
}

/** The cookies with which the browser comes back from the identity provider. */
function waitAt(returnTo: LogoutReturn, browser: Browser, { authStates }: Context): BrowserCookies {
  const binding = authStates.bindingOf(browser);
  const authState = authStates.seal('loggedOut', { logout: returnTo }, binding);
  return {
    waiting: { handle: waitingHandle, authState },
    ...(binding !== browser.binding && { binding }),
  };
}

/** `undefined` if the logout began too long ago, or in another browser. */
async function waitingReturn(browser: Browser, { authStates }: Context): Promise<LogoutReturn | undefined> {
  try {
    const submission = new Map([['auth_state', [waitingHandle]]]);
    return (await authStates.open('loggedOut', submission, browser)).logout;
  } catch (error) {
    if (error instanceof OAuthError) return undefined;
    throw error;
  }
}

/** The registration can have changed since the request. */
function offeredReturn(
  returnTo: LogoutReturn | undefined,
  { registry }: Pick<LogoutDependencies, 'registry'>,
): OfferedReturn | undefined {
  if (returnTo === undefined) return undefined;
  const { clientRecordId, redirectUri, state } = returnTo;
  const client = registry.clientById(clientRecordId);
  if (client === undefined || !isPostLogoutRedirectUri(client, redirectUri)) return undefined;
  if (state === undefined) return { client, location: redirectUri };
  const target = { type: 'redirect', responseMode: 'query', redirectUri } as const;
  return { client, location: redirectAnswer(target, { state }).location };
}
