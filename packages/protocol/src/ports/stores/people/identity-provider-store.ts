/** The sessions, grants and consents of users, by identity provider. */
export interface IdentityProviderStore {
  /** Every identity provider with stored sessions, grants or consents, by name. */
  list(): Promise<IdentityProviderUse[]>;
  /**
   * Ends all login sessions of the users of an identity provider, revokes their grants, and removes their consents. It works in
   * parts: a completed part is durable, and another call can do the rest. Resolves with the numbers of rows.
   */
  end(identityProvider: string, now: number): Promise<UsedRows>;
}

export interface IdentityProviderUse extends UsedRows {
  readonly identityProvider: string;
}

export interface UsedRows {
  readonly loginSessions: number;
  /** Grants that are not revoked. */
  readonly grants: number;
  /** Stored consents, each for one client at one redirect URI. */
  readonly consents: number;
}
