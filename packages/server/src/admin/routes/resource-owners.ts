import type { ResourceOwnerAdministration, TextKind } from '@watchword/protocol';
import type { Route } from '../route.ts';
import { readRecord, refuseMalformed } from '../schema/read-record.ts';
import { inputSchema, required } from '../schema/record-schema.ts';

const text = { type: 'text', minLength: 1 } as const satisfies TextKind;

const ownerSchema = {
  description: 'A resource owner: a name, and the identity provider that vouches for it.',
  fields: {
    resourceOwnerId: required(text, 'Principal name, exactly as tokens have it.'),
    resourceOwnerAuthority: required(text, 'The identity provider of the name, as tokens have it.'),
  },
};

export const resourceOwnerSchema = { description: ownerSchema.description, ...inputSchema(ownerSchema) };

export const ownerRevocationSchema = {
  type: 'object',
  description: 'The numbers of what ended.',
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
        'Every code, access and refresh token that was issued for them is revoked, and their login sessions end. Callers can revoke their own, administrators those of every resource owner.',
      scope: 'write',
      body: { schema: resourceOwnerSchema, isRequired: true },
      answer: {
        status: 200,
        description: 'The numbers of what ended.',
        schema: { $ref: '#/components/schemas/OwnerRevocation' },
      },
      refusals: [400, 404],
      handle: async ({ caller, body }) => {
        const { whole, malformed } = await readRecord(ownerSchema, body());
        refuseMalformed(malformed);
        const { resourceOwnerId: name, resourceOwnerAuthority: identityProvider } = whole;
        return { status: 200, body: await resourceOwners.revoke(caller, { name, identityProvider }) };
      },
    },
  ];
}
