import type { AuthenticationModule } from './authentication-module.ts';

/**
 * The authentication modules of the server, each by its name, in the order in which users see them: those of the configuration, of which
 * there is at least one, and those that administrators set up, which come and go.
 */
export type Authenticators = ReadonlyMap<string, AuthenticationModule>;

/** Those with which a login can begin. */
export function openAuthenticators(authenticators: Authenticators): AuthenticationModule[] {
  return [...authenticators.values()].filter(isOpen);
}

export function isOpen(authenticator: Pick<AuthenticationModule, 'isOpen'>): boolean {
  return authenticator.isOpen?.() ?? true;
}

/** The identity providers that this node is configured with. */
export interface IdentityProviders {
  /**
   * Whether users of the identity provider can log in here. `undefined` while this is unknown: its metadata could not be loaded
   * since the start.
   */
  isConfigured(identityProvider: string): boolean | undefined;
}
