import { because, type Clock, OAuthError } from '@watchword/protocol';
import type { Caller } from './caller.ts';

export interface FreshLoginDependencies {
  readonly clock: Clock;
  /** Seconds since the login of a person, at most, before what cannot be undone; 0 = any login is enough. */
  readonly freshLogin: number;
}

/**
 * Whoever finds an open computer, or has stolen a token, cannot do what cannot be undone. Clients that act for themselves and tools have no
 * login.
 *
 * @throws OAuthError `insufficient_user_authentication`
 */
export function requireFreshLogin(
  { login }: Caller,
  { clock, freshLogin: maxAge }: FreshLoginDependencies,
): void {
  if (maxAge === 0 || login === undefined) return;
  const age = Math.floor((clock.now() - login.authentication.authenticatedAt) / 1000);
  if (age <= maxAge) return;
  throw new OAuthError('insufficient_user_authentication', {
    ...because('fresh_login', { age, maxAge }),
    maxAge,
  });
}
