import type { IdentityProviders } from '@watchword/protocol';

/** Every identity provider is configured, except those in its sets. */
export class FakeIdentityProviders implements IdentityProviders {
  readonly gone = new Set<string>();
  readonly unknown = new Set<string>();

  isConfigured(identityProvider: string): boolean | undefined {
    return this.unknown.has(identityProvider) ? undefined : !this.gone.has(identityProvider);
  }
}
