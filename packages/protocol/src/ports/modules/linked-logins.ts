import type { ProvidedIdentity } from '../stores/people/account-link-store.ts';
import type { Authenticated } from './authentication-module.ts';

/** Logins at other identity providers that are logins to local accounts. */
export interface LinkedLogins {
  /**
   * The person of a login, who can be linked. `undefined` for a local account, and where the identity provider gives no identifier that never
   * becomes that of another person.
   */
  identityOf(login: Authenticated, authenticator: string): ProvidedIdentity | undefined;
  /** The login to the account to which the person is linked; the login itself without a link; `undefined` if the account is disabled. */
  resolve(login: Authenticated, authenticator: string, source: string): Promise<Authenticated | undefined>;
}
