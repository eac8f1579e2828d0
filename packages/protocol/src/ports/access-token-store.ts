import type { AccessToken } from '../model/access-token.ts';
import type { Grant } from '../model/grant.ts';

/**
 * Where access tokens live. Every method rejects with `StoreUnavailableError` when the store cannot do
 * its work; a write that resolved survives a crash of the machine, one that
 * rejected is not acknowledged: it may have been done or not. The stores of grants, codes, refresh tokens
 * and sessions keep to the same.
 */
export interface AccessTokenStore {
  /** Stores a client-credentials token. Resolves once the token is durable, never before. */
  insert(token: AccessToken): Promise<void>;
  /**
   * The token with that id, and the grant it hangs on. Revoked ones are not found, nor those whose grant is
   * revoked or gone; expired ones are until they are purged.
   */
  find(id: string): Promise<GrantedAccessToken | undefined>;
  /** Resolves once the revocation is durable. An unknown id is not an error: `false`. */
  revoke(id: string): Promise<boolean>;
  list(query: AccessTokenQuery): Promise<GrantedAccessToken[]>;
  /**
   * Reads at most `limit` tokens, newest first, dead ones included, so that the cost is bounded whatever has become
   * of them: one under a grant that is revoked or gone comes without its grant.
   */
  scan(scan: AccessTokenScan): Promise<GrantedAccessToken[]>;
}

/** Which tokens are read, each way served by an index. */
export type AccessTokenScan = {
  readonly limit: number;
  /** The last token of the scan before. */
  readonly before?: ScanPosition;
} & (
  | { readonly of: 'all' }
  | { readonly of: 'client'; readonly clientRecordId: number }
  /** By grant, the newest first; without `identity provider` everybody of that name. Nothing under revoked grants. */
  | { readonly of: 'owner'; readonly name: string; readonly identityProvider?: string }
);

export interface ScanPosition {
  readonly id: string;
  /** Of a scan by owner: what the token hangs on, and the identity provider of its owner. */
  readonly grantId?: string;
  readonly identityProvider?: string;
}

export interface GrantedAccessToken extends AccessToken {
  /** What the token hangs on; `undefined` for a client-credentials token. */
  readonly grant: Grant | undefined;
}

export interface AccessTokenQuery {
  /** Only tokens of the client with this record id. */
  readonly clientRecordId?: number;
  /** Only tokens that come after this id in the order of issue. */
  readonly after?: string;
  readonly limit: number;
}
