import type { AccessToken } from '../../../model/records/access-token.ts';
import type { Grant } from '../../../model/records/grant.ts';
import type { RefreshToken } from '../../../model/records/refresh-token.ts';
import type { Identity } from '../../../model/resource-owner.ts';
import type { Scopes } from '../../../model/scope.ts';
import type { GrantedAccessToken } from './access-token-store.ts';
import type { RevokedToken } from './revocation-store.ts';

/** Changes to issued tokens by administrators. They are rare, and in one transaction with their audit event. */
export interface IssuedTokenStore {
  /** As `AccessTokenStore.find`. */
  find(id: string): Promise<GrantedAccessToken | undefined>;
  /**
   * Of a JWT only the grant is stored, with the expiry of the token.
   *
   * @param grant the grant of the token; `undefined` for a client-credentials token
   * @param refreshToken of the same grant
   */
  insert(token: AccessToken, grant: Grant | undefined, refreshToken?: RefreshToken): Promise<void>;
  /** `false` if there is no such token. */
  update(id: string, change: AccessTokenChange): Promise<boolean>;
  /** `false` if there is no such token. */
  revoke(id: string): Promise<boolean>;
  /** As `RevocationStore.revokeToken`, or at some resource servers, besides those of before. `false` if that was revoked before. */
  revokeJwt(token: RevokedToken): Promise<boolean>;
  /** Revokes at most `limit` valid grants of the owner, with their codes and tokens. Resolves with the number of grants. */
  revokeGrants(owner: Identity, now: number, limit: number): Promise<number>;
  /** Ends one login session: its clients become logout deliveries. `false` if there is no such session. */
  endSession(id: string, now: number): Promise<boolean>;
  /**
   * Ends every login session of the owner, with the trust in browsers, and after the commit those that were stored at the same time.
   * Resolves with the number of sessions.
   */
  endSessions(owner: Identity, now: number): Promise<number>;
}

export interface AccessTokenChange {
  readonly scopes: Scopes;
  /** Epoch milliseconds; 0 = does not expire. */
  readonly expires: number;
}
