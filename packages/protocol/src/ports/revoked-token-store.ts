import type { AccessToken } from '../model/access-token.ts';
import type { Grant } from '../model/grant.ts';

/** A JWT that was revoked alone, before its expiry. */
export interface RevokedToken extends Pick<AccessToken, 'id' | 'clientRecordId' | 'grantId' | 'expires'> {
  /** Epoch milliseconds. */
  readonly revokedAt: number;
}

/** What a JWT names (RFC 9068 §2.2): itself, and its grant. */
export type IssuedJwt = Pick<AccessToken, 'id' | 'grantId'>;

/**
 * Stores which JWTs were revoked. A JWT has no row of its own. It is valid while its grant is, and while no row here revokes it. The purge
 * removes a row after the expiry of its token.
 */
export interface RevokedTokenStore {
  /**
   * The grant of a JWT, in a member, because a client-credentials token has none. `undefined` if the token is revoked, or if its grant is
   * revoked or removed.
   */
  findUnrevoked(token: IssuedJwt): Promise<{ readonly grant: Grant | undefined } | undefined>;
  /** Revokes the token. Resolves when the revocation is durable. `false` if it was revoked before. */
  add(token: RevokedToken): Promise<boolean>;
}
