import type { LoginSession } from '../model/records/login-session.ts';
import type { AuthState } from './auth-state.ts';
import type { Browser } from './browser.ts';

/**
 * What the resource owner is told where a request begins again at an earlier step.
 *
 * - `signedOut`: the browser has no session any more; `ended`: its session has ended
 * - `otherUser`, `anew`: another user, or the same one, has logged in since the page was shown
 * - `changed`: the session, or what is remembered, is not as it was read
 * - `otherAccount`: the resource owner wants to use another account
 * - `asked`: the client demands a new login; `administration`: that of an administrator is too old; `ownAccount`: that of a
 *   person who changes how the own account is opened is
 * - `method`: the configuration lost the authenticator or step; `interrupted`: the login ended before its last step
 * - `reopened`: the address of a step was opened while the login waits
 */
export type RestartReason =
  | 'signedOut'
  | 'ended'
  | 'otherUser'
  | 'anew'
  | 'changed'
  | 'otherAccount'
  | 'asked'
  | 'administration'
  | 'ownAccount'
  | 'method'
  | 'interrupted'
  | 'reopened';

/** Why a page decides nothing that was shown in another session. @param session in which the browser is now */
export function changedSession(
  session: LoginSession | undefined,
  { shownTo }: Pick<AuthState, 'shownTo'>,
  browser: Pick<Browser, 'session'>,
): RestartReason {
  if (session === undefined) return browser.session === undefined ? 'signedOut' : 'ended';
  return session.owner.subject === shownTo ? 'anew' : 'otherUser';
}
