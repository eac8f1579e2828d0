import { OAuthError } from '../model/errors.ts';
import type { Identity } from '../model/resource-owner.ts';
import type { IdentityProviders } from '../ports/identity-providers.ts';

export interface OwnerDependencies {
  readonly identityProviders: IdentityProviders;
}

// Seconds after which another attempt to load metadata was made.
const retryAfter = 60;

/**
 * Whether what was issued on behalf of the owner is valid at this node: only while it is configured with the identity
 * provider that vouches for them. Nobody vouches for a client that acts for itself.
 *
 * @throws OAuthError `temporarily_unavailable` while that cannot be told; a refusal would make clients forget their tokens
 */
export function isOfConfiguredProvider(
  owner: Pick<Identity, 'identityProvider'> | undefined,
  { identityProviders }: OwnerDependencies,
): boolean {
  if (owner === undefined) return true;
  const isConfigured = identityProviders.isConfigured(owner.identityProvider);
  if (isConfigured !== undefined) return isConfigured;
  throw new OAuthError('temporarily_unavailable', {
    description: 'The metadata of the identity provider could not be loaded yet.',
    retryAfter,
  });
}
