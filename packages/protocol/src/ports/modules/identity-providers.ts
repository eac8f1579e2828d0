/** The identity providers that this node is configured with. */
export interface IdentityProviders {
  /**
   * Whether users of the identity provider can log in here. `undefined` while this is unknown: its metadata could not be loaded
   * since the start.
   */
  isConfigured(identityProvider: string): boolean | undefined;
}
