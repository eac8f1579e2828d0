import type { OAuthError, RedirectableError } from '../../model/errors/errors.ts';
import type { BrowserCookies } from '../browser.ts';
import type { ResponseTarget } from './target-kind.ts';

/** An authorization request ends with an error that the client gets at its target (RFC 6749 §4.1.2.1). */
export interface ErrorForClient {
  readonly type: 'errorForClient';
  readonly target: ResponseTarget;
  readonly error: RedirectableError;
  /** Whether the error goes to the client without a page in between, even when no user is logged in. */
  readonly isImmediate: boolean;
  readonly cookies: BrowserCookies;
}

/** An authorization request ends with an error that only the resource owner sees. */
export interface ErrorForOwner {
  readonly type: 'errorForOwner';
  readonly error: OAuthError;
}
