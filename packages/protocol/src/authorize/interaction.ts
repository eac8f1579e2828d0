import { OAuthError, RedirectableError } from '../model/errors/errors.ts';
import type { DeniedUser } from '../model/errors/rules/authorization-rules.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import type { Scopes } from '../model/scope.ts';
import type { ConsentAnswer, GivenConsent } from '../ports/stores/grants/consent-store.ts';
import type { AuthState, OwnPage } from './auth-state.ts';
import type { Browser, BrowserCookies } from './browser.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';
import type { RestartReason } from './restart-reason.ts';
import { actingClient, type EventOrigin } from './sessions/login-event.ts';
import type { ErrorForClient, ErrorForOwner } from './targets/authorization-error.ts';

/** One request of a browser on the way from an authorization request to its response, and what the answer sets. */
export interface Interaction {
  readonly browser: Browser;
  /** `undefined` when the resource owner wants to see their own account. */
  readonly request: AuthorizationRequest | undefined;
  readonly cookies: BrowserCookies;
  /** Where the login leads without a request; default: `/account`. */
  readonly ownPage?: OwnPage | undefined;
  /** Consent must be asked, even if the resource owner consented before. */
  readonly mustAskConsent?: boolean;
  /** Of a login that an administrator tries, which ends with what came, and not with a session. */
  readonly testId?: string | undefined;
  /** Of a login that proves whom to link: the session in which it was asked for, and which goes on. */
  readonly linkTo?: string | undefined;
  /** A session is not enough, however new its login is. */
  readonly mustLogIn?: boolean;
  /** The authenticator that the user has chosen before. */
  readonly authenticator?: string | undefined;
  /** The resource owner has just logged in. */
  readonly hasLoggedIn?: boolean;
  /** What the resource owner has consented to; absent where nobody had to be asked. */
  readonly given?: GivenAccess;
  /** Why the next page is not the one that the resource owner expects. */
  readonly again?: RestartReason | undefined;
  /** How often the request has started again, because access of the resource owner ended meanwhile. */
  readonly restarts?: number;
}

/** An interaction in which a client asks. */
export type ClientInteraction = Interaction & { readonly request: AuthorizationRequest };

export interface GivenAccess {
  /** Those of the asked scopes to which the resource owner consents. */
  readonly scopes: Scopes;
  /** The answer to the consent page, if one was shown. */
  readonly answer?: ConsentAnswer | undefined;
  /** What is remembered of the consent that the grant represents. */
  readonly consent?: GivenConsent | undefined;
}

/** A browser comes back with a state. */
export function returnedInteraction(
  { request, ownPage, mustAskConsent = false, testId, linkTo }: AuthState,
  browser: Browser,
): Interaction {
  return { request, ownPage, mustAskConsent, testId, linkTo, browser, cookies: {} };
}

/** @throws OAuthError for an interaction without a request, which no page has that asks about one */
export function ofClient(interaction: Interaction): ClientInteraction {
  const { request } = interaction;
  if (request === undefined) throw new OAuthError('invalid_auth_state');
  return { ...interaction, request };
}

/**
 * The end of an interaction with an error: for the client, where one asks.
 *
 * @param isImmediate see {@link ErrorForClient}
 */
export function errorOf(
  { request, cookies }: Interaction,
  error: RedirectableError,
  isImmediate: boolean,
): ErrorForClient | ErrorForOwner {
  if (request === undefined) return { type: 'errorForOwner', error };
  return { type: 'errorForClient', target: request.target, error, isImmediate, cookies };
}

/** A module can deny a login without having asked anything, so the error is not immediately redirected to every client. */
export function accessDenied(interaction: Interaction, why: DeniedUser): ErrorForClient | ErrorForOwner {
  const error = new RedirectableError('access_denied', because('permitted_user', why));
  return errorOf(interaction, error, interaction.request?.client.trusted ?? false);
}

/** The client and the network address of the request of the resource owner. */
export function originOf({ request, browser }: Interaction): EventOrigin {
  return { ...actingClient(request?.client), source: browser.source };
}
