import type { IdentityProviders } from '@watchword/protocol';

/**
 * The identity providers of all authenticators. An identity provider is configured if one of the authenticators is configured
 * with it. It is unknown while no authenticator is, and one of them does not know.
 */
export function configuredIdentityProviders(authenticators: readonly IdentityProviders[]): IdentityProviders {
  const [first, ...others] = authenticators;
  // Called for every token, so a single authenticator answers without a loop.
  if (first !== undefined && others.length === 0) return first;
  return {
    isConfigured(identityProvider) {
      let answer: boolean | undefined = false;
      for (const authenticator of authenticators) {
        const itsAnswer = authenticator.isConfigured(identityProvider);
        if (itsAnswer === true) return true;
        if (itsAnswer === undefined) answer = undefined;
      }
      return answer;
    },
  };
}
