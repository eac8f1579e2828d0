import type { ListedIdentityProvider } from '@watchword/protocol';
import type { JsonSchema } from '../schema/json-schema.ts';

const counts = {
  loginSessions: { type: 'integer', minimum: 0, description: 'Login sessions of its people.' },
  grants: { type: 'integer', minimum: 0, description: 'What they granted, each with all its tokens.' },
  consents: { type: 'integer', minimum: 0, description: 'Clients of which they need not be asked again.' },
} as const;

export const usedRowsSchema: JsonSchema = {
  type: 'object',
  properties: counts,
  required: Object.keys(counts),
};

export const identityProviderSchema: JsonSchema = {
  type: 'object',
  description:
    'An identity provider whose people have something here: a module, or one of those that it names.',
  properties: {
    identityProvider: {
      type: 'string',
      description: 'Its name: that of a module such as password, or an entity id.',
    },
    configured: {
      type: ['boolean', 'null'],
      description:
        'Whether this node is configured with it. What people of any other have is refused. null while it cannot be told.',
    },
    ...counts,
  },
  required: ['identityProvider', 'configured', ...Object.keys(counts)],
};

export function identityProviderRecord({ identityProvider, isConfigured, ...used }: ListedIdentityProvider) {
  return { identityProvider, configured: isConfigured ?? null, ...used };
}
