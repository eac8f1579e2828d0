import type { AccessToken } from '../model/access-token.ts';

/**
 * Where access tokens live. Every method rejects with `StoreUnavailableError` when the store cannot do
 * its work; a write that resolved survives a crash of the machine, one that
 * rejected is not acknowledged: it may have been done or not.
 */
export interface AccessTokenStore {
  /** Resolves once the token is durable, never before. */
  insert(token: AccessToken): Promise<void>;
  /** The token with that id, revoked ones excepted; expired ones until they are reaped. */
  find(id: string): Promise<AccessToken | undefined>;
  /** Resolves once the revocation is durable. An unknown id is not an error: `false`. */
  revoke(id: string): Promise<boolean>;
  list(query: AccessTokenQuery): Promise<AccessToken[]>;
}

export interface AccessTokenQuery {
  /** Only tokens of the client with this record id. */
  readonly clientRecordId?: number;
  /** Only tokens that come after this id in the order of issue. */
  readonly after?: string;
  readonly limit: number;
}
