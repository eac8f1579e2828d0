/** The identity providers that this node is configured with. */
export interface IdentityProviders {
  /**
   * Whether people can log in by it here. `undefined` while that cannot be told: its metadata could not be loaded since
   * the start.
   */
  isConfigured(identityProvider: string): boolean | undefined;
}
