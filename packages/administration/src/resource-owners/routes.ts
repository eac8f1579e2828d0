import type { TextKind } from '@watchword/protocol';
import type { Route } from '../route.ts';
import { readRecord, rejectMalformed } from '../schema/read-record.ts';
import { inputSchema, required } from '../schema/record-schema.ts';
import type { ResourceOwnerAdministration } from './resource-owners.ts';

const text = { type: 'text', minLength: 1 } as const satisfies TextKind;

const ownerSchema = {
  description:
    'A resource owner: a name, and the identity provider that authenticates the user of that name.',
  fields: {
    resourceOwnerId: required(text, 'Principal name, exactly as in the access token records.'),
    resourceOwnerAuthority: required(
      text,
      'The identity provider of the name, exactly as in the access token records.',
    ),
  },
};

export const resourceOwnerSchema = { description: ownerSchema.description, ...inputSchema(ownerSchema) };

export const ownerRevocationSchema = {
  type: 'object',
  description: 'The number of revoked or removed rows of each kind.',
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
      needsFreshLogin: true,
      method: 'POST',
      path: '/admin/resourceOwner/revocation',
      tag: 'Resource owners',
      summary: 'Revoke everything that a resource owner granted',
      description:
        'The codes, access tokens and refresh tokens of the resource owner are revoked, the login sessions end, and so do the rights that it gave to clients. A caller can revoke its own grants, an administrator those of every resource owner.',
      scope: 'write',
      body: { schema: resourceOwnerSchema, isRequired: true },
      answer: {
        status: 200,
        description: 'The number of revoked or removed rows of each kind.',
        schema: { $ref: '#/components/schemas/OwnerRevocation' },
      },
      errors: [400, 404],
      handle: async ({ caller, body }) => {
        const { whole, malformed } = await readRecord(ownerSchema, body());
        rejectMalformed(malformed);
        const { resourceOwnerId: name, resourceOwnerAuthority: identityProvider } = whole;
        return { status: 200, body: await resourceOwners.revoke(caller, { name, identityProvider }) };
      },
    },
  ];
}
