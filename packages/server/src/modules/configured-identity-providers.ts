import type { IdentityProviders } from '@watchword/protocol';

/**
 * The identity providers of all authenticators. One that any of them is configured with is configured; while one of the
 * others cannot tell, it may be.
 */
export function configuredIdentityProviders(authenticators: readonly IdentityProviders[]): IdentityProviders {
  const [first, ...others] = authenticators;
  // Asked with every token: one authenticator answers itself.
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
