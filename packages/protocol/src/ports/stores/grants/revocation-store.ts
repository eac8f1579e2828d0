/** A JWT access token that was revoked alone, before it expired. */
export interface RevokedToken {
  /** `jti`, a UUID. */
  readonly id: string;
  /** Only at these resource servers, which are not that of the client; `undefined`: at all. */
  readonly at?: readonly number[] | undefined;
  readonly clientRecordId: number;
  /** Epoch milliseconds. */
  readonly expires: number;
  /** Epoch milliseconds. */
  readonly revokedAt: number;
}

export interface RevokedGrant {
  readonly id: string;
  /** Only at these resource servers, which are not that of the client; `undefined`: at all. */
  readonly at?: readonly number[] | undefined;
  readonly clientRecordId: number;
  /** Epoch milliseconds. */
  readonly creationDate: number;
  /** Epoch milliseconds: no token of the grant expires later; 0 = one of them never expires. */
  readonly expires: number;
  /** Epoch milliseconds. */
  readonly revokedAt: number;
}

/** A client that was deleted, or all of whose tokens were revoked. */
export interface RevokedClient {
  readonly clientId: string;
  readonly resourceServerId: number;
  /** The others that it could use, or until a moment before. */
  readonly otherResourceServerIds: readonly number[];
  /** Epoch milliseconds: tokens of this time or before are revoked. */
  readonly revokedAt: number;
}

/** A part of a list in the order of `revokedAt` and `id`. */
export interface RevocationPage {
  /** Epoch milliseconds: revocations of this time or later. */
  readonly from: number;
  /** The last entry of the page before. */
  readonly after?: { readonly revokedAt: number; readonly id: string } | undefined;
  readonly limit: number;
}

/**
 * Revocations that resource servers have to know when they verify JWT access tokens themselves. The revocation of a grant or a
 * client is stored by the change that revokes it. It is listed for a day, the longest time for which such a token can be valid.
 */
export interface RevocationStore {
  /** Revokes one JWT access token, at all. One statement decides. `false` if it was revoked before. */
  revokeToken(token: Omit<RevokedToken, 'at'>): Promise<boolean>;
  /** The revocation of the JWT access token with this `jti` alone; `undefined` if there is none. */
  findToken(id: string): Promise<Pick<RevokedToken, 'at'> | undefined>;
  listTokens(page: RevocationPage): Promise<RevokedToken[]>;
  /** Grants of all clients. The purge removes those of clients that get opaque tokens earlier. */
  listGrants(page: RevocationPage): Promise<RevokedGrant[]>;
  /** @param from epoch milliseconds: revocations of this time or later */
  listClients(from: number): Promise<RevokedClient[]>;
}
