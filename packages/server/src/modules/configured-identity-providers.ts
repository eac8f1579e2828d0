import type { IdentityProviders } from '@watchword/protocol';

/**
 * The identity providers of all authenticators. An identity provider is configured if one of the authenticators is configured
 * with it. It is unknown while no authenticator is, and one of them does not know.
 *
 * @param authenticators which come and go; the first one stays
 */
export function configuredIdentityProviders(
  authenticators: ReadonlyMap<string, IdentityProviders>,
): IdentityProviders {
  const [first] = authenticators.values();
  return {
    isConfigured(identityProvider) {
      // Called for every token, so a single authenticator answers without a loop.
      if (authenticators.size === 1 && first !== undefined) return first.isConfigured(identityProvider);
      let answer: boolean | undefined = false;
      for (const authenticator of authenticators.values()) {
        const itsAnswer = authenticator.isConfigured(identityProvider);
        if (itsAnswer === true) return true;
        if (itsAnswer === undefined) answer = undefined;
      }
      return answer;
    },
  };
}
