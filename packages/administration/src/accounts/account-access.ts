import { OAuthError } from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';

/**
 * Local accounts are administered by people: a client that acts for itself never is an administrator.
 *
 * @param hasLocalLogin whether users log in with local accounts on this server
 * @throws OAuthError `access_denied`, `not_found`
 */
export function requireAccountAccess({ isAdministrator }: Caller, hasLocalLogin: boolean): void {
  if (!isAdministrator) {
    throw new OAuthError('access_denied', {
      rule: 'administrator',
      description:
        'Only an administrator who logged in can manage accounts. A client that acts for itself cannot.',
    });
  }
  if (hasLocalLogin) return;
  throw new OAuthError('not_found', {
    description: 'This server has no local accounts: the authenticator password is not configured.',
  });
}
