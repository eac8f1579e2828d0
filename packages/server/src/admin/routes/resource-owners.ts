import { OAuthError, type ResourceOwnerAdministration } from '@watchword/protocol';
import type { Route } from '../route.ts';
import { text } from '../schema/kinds.ts';
import { readRecord } from '../schema/read-record.ts';
import { inputSchema, type RecordSchema, required } from '../schema/record-schema.ts';

const ownerSchema = {
  name: 'ResourceOwner',
  description: 'Who: a name, and who vouches for it.',
  fields: {
    resourceOwnerId: required(text({ minLength: 1 }), 'Principal name, exactly as tokens have it.'),
    resourceOwnerAuthority: required(text({ minLength: 1 }), 'Who vouches for the name, as tokens have it.'),
  },
} as const satisfies RecordSchema;

export const resourceOwnerSchema = { description: ownerSchema.description, ...inputSchema(ownerSchema) };

export const ownerRevocationSchema = {
  type: 'object',
  description: 'How much ended.',
  properties: {
    grants: { type: 'integer', description: 'Grants with all their tokens.' },
    loginSessions: { type: 'integer' },
  },
  required: ['grants', 'loginSessions'],
};

export function resourceOwnerRoutes(resourceOwners: ResourceOwnerAdministration): Route[] {
  return [
    {
      id: 'revokeResourceOwner',
      method: 'POST',
      path: '/admin/resourceOwner/revocation',
      tag: 'Resource owners',
      summary: 'Revoke everything that a resource owner granted',
      description:
        'Every code, access and refresh token that was issued in their name dies, and their login sessions end. Anybody may do so for themselves, administrators for everybody.',
      scope: 'write',
      body: { schema: resourceOwnerSchema, isRequired: true },
      answer: {
        status: 200,
        description: 'What ended.',
        schema: { $ref: '#/components/schemas/OwnerRevocation' },
      },
      refusals: [400, 404],
      handle: async ({ caller, body }) => {
        const { values, malformed } = readRecord(ownerSchema, body(), true);
        const { resourceOwnerId: name, resourceOwnerAuthority: authority } = values;
        if (malformed.length > 0 || name === undefined || authority === undefined) {
          throw new OAuthError('invalid_request', {
            violations: malformed.map(({ field, problem }) => `${field}: ${problem}`),
          });
        }
        return { status: 200, body: await resourceOwners.revoke(caller, { name, authority }) };
      },
    },
  ];
}
