import type { JsonSchema } from '../schema/json-schema.ts';
import type { ListedIdentityProvider } from './identity-providers.ts';

const counts = {
  loginSessions: { type: 'integer', minimum: 0, description: 'Login sessions of its users.' },
  grants: { type: 'integer', minimum: 0, description: 'Grants of its users, with all their tokens.' },
  consents: { type: 'integer', minimum: 0, description: 'Stored consents of its users.' },
} as const;

export const identityProviderUseSchema: JsonSchema = {
  type: 'object',
  description: 'Numbers of the sessions, grants and consents of its users.',
  properties: counts,
  required: Object.keys(counts),
};

export const identityProviderSchema: JsonSchema = {
  type: 'object',
  description:
    'An identity provider whose users have login sessions, grants or consents: an authentication module, or an identity provider that a module names.',
  properties: {
    identityProvider: {
      type: 'string',
      description: 'Its name: the name of a module such as password, or an entity id.',
    },
    configured: {
      type: ['boolean', 'null'],
      description:
        'Whether this node is configured with it. If not, the tokens and sessions of its users are not valid. null while this is unknown.',
    },
    ...counts,
  },
  required: ['identityProvider', 'configured', ...Object.keys(counts)],
};

export function identityProviderRecord({ identityProvider, isConfigured, ...used }: ListedIdentityProvider) {
  return { identityProvider, configured: isConfigured ?? null, ...used };
}
