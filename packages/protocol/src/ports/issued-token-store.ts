import type { AccessToken } from '../model/access-token.ts';
import type { Grant } from '../model/grant.ts';
import type { Identity } from '../model/resource-owner.ts';
import type { Scopes } from '../model/scope.ts';
import type { GrantedAccessToken } from './access-token-store.ts';

/** What administrators do to issued tokens: rare, and in one transaction with its trace in the audit log. */
export interface IssuedTokenStore {
  /** As `AccessTokenStore.find`. */
  find(id: string): Promise<GrantedAccessToken | undefined>;
  /** @param grant what the token hangs on; `undefined` for a client-credentials token */
  insert(token: AccessToken, grant: Grant | undefined): Promise<void>;
  /** `false` when there is no such token. */
  update(id: string, change: AccessTokenChange): Promise<boolean>;
  /** `false` when there is no such token. */
  revoke(id: string): Promise<boolean>;
  /** Kills at most `limit` living grants of the owner, and all under them; resolves with how many. */
  revokeGrants(owner: Identity, now: number, limit: number): Promise<number>;
  /** Ends every login session of the owner; resolves with how many. */
  endSessions(owner: Identity): Promise<number>;
}

export interface AccessTokenChange {
  readonly scopes: Scopes;
  /** Epoch milliseconds; 0 = does not expire. */
  readonly expires: number;
}
