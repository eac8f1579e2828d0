/** What people have, by the identity provider that vouches for them. */
export interface IdentityProviderStore {
  /** Every identity provider of which something is stored, by name. */
  list(): Promise<IdentityProviderUse[]>;
  /**
   * Ends every login session of its people, revokes every grant, and forgets what they consented to. In parts: what is
   * done is durable, and what is not can be done by another call. Resolves with how much there was.
   */
  end(identityProvider: string, now: number): Promise<UsedRows>;
}

export interface IdentityProviderUse extends UsedRows {
  readonly identityProvider: string;
}

export interface UsedRows {
  readonly loginSessions: number;
  /** That are not revoked. */
  readonly grants: number;
  /** Clients, with a redirect URI each, of which somebody need not be asked again. */
  readonly consents: number;
}
