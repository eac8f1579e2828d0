import type { Authenticated } from '../../ports/modules/authentication-module.ts';

/**
 * The time of a login in epoch milliseconds, as the module reports it. It can be an earlier login at the identity provider.
 * Default: now. It is never later than now, because a login in the future would satisfy `max_age` for too long. The clock of
 * an identity provider can be wrong.
 */
export function loginTime({ authenticatedAt }: Pick<Authenticated, 'authenticatedAt'>, now: number): number {
  return Math.min(authenticatedAt ?? now, now);
}
