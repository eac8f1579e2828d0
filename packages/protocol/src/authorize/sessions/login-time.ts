import type { Authenticated } from '../../ports/authentication-module.ts';

/**
 * Epoch milliseconds of a login, as the module reports it: of the login at the identity provider where that was earlier. Default:
 * now. It is never later than now, whatever the clock of the identity provider says: a login that lies ahead would
 * satisfy `max_age` for longer than it may.
 */
export function loginTime({ authenticatedAt }: Pick<Authenticated, 'authenticatedAt'>, now: number): number {
  return Math.min(authenticatedAt ?? now, now);
}
