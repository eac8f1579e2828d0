import type {
  AccessToken,
  AccessTokenFormatName,
  StoredAccessToken,
} from '../../../model/records/access-token.ts';
import type { Grant } from '../../../model/records/grant.ts';

/**
 * Stores access tokens, but no JWTs. Every method rejects with `StoreUnavailableError` if the store cannot read or write. When the promise
 * of a write resolves, the write is durable: it survives a crash of the machine. When the promise rejects, the write can be
 * stored or not. The same is true for the stores of grants, codes, refresh tokens and sessions.
 */
export interface AccessTokenStore {
  /** Stores a client-credentials token; of a JWT nothing. Resolves when the token is durable. */
  insert(token: AccessToken): Promise<unknown>;
  /**
   * The token with the id, and the grant to which it belongs. A revoked token is not found, and neither is a token whose grant
   * is revoked or removed. An expired token is found until it is purged.
   */
  find(id: string): Promise<GrantedAccessToken | undefined>;
  /** Resolves when the revocation is durable. `false` for an unknown id. */
  revoke(id: string): Promise<boolean>;
  list(query: AccessTokenQuery): Promise<GrantedAccessToken[]>;
  /**
   * Reads at most `limit` tokens, the newest first, including revoked tokens, so that the cost has a bound. A token whose grant
   * is revoked or removed is returned without its grant.
   */
  scan(scan: AccessTokenScan): Promise<GrantedAccessToken[]>;
}

/** The tokens to read. There is an index for each kind of scan. */
export type AccessTokenScan = {
  /**
   * Leaves out tokens whose client and resource owner cannot have this text in their names, which is in the form of searches.
   * Others can come too.
   */
  readonly mayContain?: string | undefined;
  readonly limit: number;
  /** The last token of the previous scan. */
  readonly before?: ScanPosition | undefined;
} & (
  | { readonly of: 'all' }
  | {
      readonly of: 'client';
      readonly clientRecordId: number;
      /** Only tokens with which the client acts for itself; only those for one of these other resource servers, if it names some. */
      readonly acting?: { readonly at?: readonly number[] | undefined };
    }
  /** By grant, the newest first, without revoked grants. Without `identityProvider`: all owners of the name. */
  | { readonly of: 'owner'; readonly name: string; readonly identityProvider?: string }
  /** Those of one resource owner under every name that the owner had, in the same order. */
  | { readonly of: 'subject'; readonly subject: string }
);

export interface ScanPosition {
  readonly id: string;
  /** For a scan by owner or subject: the grant of the token. For a scan by owner: also the identity provider of the owner. */
  readonly grantId?: string;
  readonly identityProvider?: string;
}

export interface GrantedAccessToken extends StoredAccessToken {
  /** The grant of the token; `undefined` for a client-credentials token. */
  readonly grant: Grant | undefined;
}

/** A token of any format that was issued and not revoked. */
export interface PresentedAccessToken extends Omit<GrantedAccessToken, 'verifierHash'> {
  readonly format: AccessTokenFormatName;
  /** `aud` of a JWT (RFC 9068 §2.2); absent in an opaque token, which belongs to the resource server of its client. */
  readonly audience?: readonly string[];
}

export interface AccessTokenQuery {
  /** Only tokens of the client with this record id. */
  readonly clientRecordId?: number;
  /** Only tokens that come after this id in the order of issue. */
  readonly after?: string;
  readonly limit: number;
}
