import { OAuthError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import type { Identity } from '../model/resource-owner.ts';
import type { IdentityProviders } from '../ports/modules/authenticators.ts';

export interface OwnerDependencies {
  readonly identityProviders: IdentityProviders;
}

// Seconds after which another attempt to load metadata was made.
const retryAfter = 60;

/**
 * Whether tokens and sessions of the owner are valid at this node. They are valid only while the identity provider of the owner
 * is configured. A client that acts for itself has no identity provider.
 *
 * @throws OAuthError `temporarily_unavailable` while this is unknown. `invalid_grant` would make clients discard their tokens
 */
export function isOfConfiguredProvider(
  owner: Pick<Identity, 'identityProvider'> | undefined,
  { identityProviders }: OwnerDependencies,
): boolean {
  if (owner === undefined) return true;
  const isConfigured = identityProviders.isConfigured(owner.identityProvider);
  if (isConfigured !== undefined) return isConfigured;
  const why = because('configured_provider', { of: 'metadata' });
  throw new OAuthError('temporarily_unavailable', { ...why, retryAfter });
}
