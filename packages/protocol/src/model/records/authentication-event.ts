import type { LoginLevel } from '../login-level.ts';
import type { ProvidedClaims } from '../provided-claims.ts';

/**
 * The login by which a resource owner is known (RFC 9470 §5): the source of `auth_time`, `amr`, `acr` and `sid` of tokens
 * that carry them (OpenID Connect Core §2). It never changes: another login is another event.
 */
export interface AuthenticationEvent {
  /** Epoch milliseconds: the time at which the resource owner authenticated, here or at the identity provider. */
  readonly authenticatedAt: number;
  /** How: authentication method reference values (RFC 8176); absent when that is not known. */
  readonly amr?: readonly string[];
  /** How strong: an authentication context class reference (OpenID Connect Core §2); absent when that is not known. */
  readonly acr?: string;
  /** What the identity provider said of the class, where further factors have made the login stronger; else absent. */
  readonly toldAcr?: string;
  /** How strong it is for the rules of this server, which never read that from a class. Absent: a single factor. */
  readonly level?: LoginLevel;
  /** Claims of the user that the identity provider vouches for; absent when it gave none. */
  readonly claims?: ProvidedClaims;
  /** The password is too short to open the account alone. Only until the login is at its end. */
  readonly mustReplacePassword?: true;
  /** The login has steps left: nobody is logged in by it. */
  readonly isPending?: true;
  /** Id of the login session. */
  readonly sessionId: string;
  /** The identity provider: the local accounts, an authentication module by its name, or an entity id. */
  readonly identityProvider: string;
}
