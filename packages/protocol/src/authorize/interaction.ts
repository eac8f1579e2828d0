import type { RedirectableError } from '../model/errors.ts';
import type { Browser, BrowserCookies } from './browser.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';
import type { ErrorForClient, ErrorForOwner } from './targets/authorization-error.ts';

/** Where users see to their own account: paths below the base URL. */
export type OwnPage = '/account' | '/account/password';

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
  /** The authenticator that the user has chosen before. */
  readonly authenticator?: string | undefined;
  /** How often the request has started again, because access of the resource owner ended meanwhile. */
  readonly restarts?: number;
}

/** An interaction in which a client asks. */
export type ClientInteraction = Interaction & { readonly request: AuthorizationRequest };

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
