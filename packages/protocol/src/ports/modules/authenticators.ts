import type { AuthenticationModule } from './authentication-module.ts';

/**
 * The authentication modules that the server is configured with, each by its name, in the order in which users see them.
 * There is at least one.
 */
export type Authenticators = ReadonlyMap<string, AuthenticationModule>;

/** The identity providers that this node is configured with. */
export interface IdentityProviders {
  /**
   * Whether users of the identity provider can log in here. `undefined` while this is unknown: its metadata could not be loaded
   * since the start.
   */
  isConfigured(identityProvider: string): boolean | undefined;
}
