import type { IdentityProviderAdministration, PageRequest, Sealer } from '@watchword/protocol';
import { answerPage, linkNote, pagingParameters } from '../listing.ts';
import { flagOf } from '../query-values.ts';
import { identityProviderRecord, usedRowsSchema } from '../records/identity-provider.ts';
import type { Route } from '../route.ts';
import { readRecord, refuseMalformed } from '../schema/read-record.ts';
import { inputSchema, required } from '../schema/record-schema.ts';

const tag = 'Identity providers';
const path = '/admin/identityProvider';

const namedSchema = {
  description: 'An identity provider by its name.',
  fields: {
    identityProvider: required({ type: 'text', minLength: 1 }, 'Its name, exactly as the list has it.'),
  },
};

export function identityProviderRoutes({
  identityProviderAdministration,
  sealer,
}: {
  readonly identityProviderAdministration: IdentityProviderAdministration;
  readonly sealer: Sealer;
}): Route[] {
  return [
    {
      id: 'listIdentityProviders',
      method: 'GET',
      path,
      tag,
      summary: 'List the identity providers whose users have sessions, grants or consents',
      description: `With their numbers, by name. Only administrators see them; another caller gets an empty list. Each request reads whole tables. ${linkNote}`,
      scope: 'read',
      query: [
        {
          name: 'configured',
          description: 'Only those that this node is configured with, or only those that it is not.',
          schema: { type: 'boolean' },
        },
        ...pagingParameters(),
      ],
      answer: {
        status: 200,
        description: 'A page of them.',
        schema: { type: 'array', items: { $ref: '#/components/schemas/IdentityProvider' } },
        headers: ['Link'],
      },
      refusals: [400],
      handle: (request) => {
        const configured = flagOf(request, 'configured');
        return answerPage(
          request,
          { path, filters: ['configured'] },
          sealer,
          (page: PageRequest<string>) =>
            identityProviderAdministration.list(request.caller, { configured }, page),
          identityProviderRecord,
        );
      },
    },
    {
      id: 'revokeIdentityProvider',
      method: 'POST',
      path: `${path}/revocation`,
      tag,
      summary: 'Revoke everything that the users of an identity provider have',
      description:
        'Their login sessions end, every code, access and refresh token that was issued for them is revoked, and their consented scopes are removed. For administrators only; the identity provider can be a configured one.',
      scope: 'write',
      body: { schema: inputSchema(namedSchema), isRequired: true },
      answer: { status: 200, description: 'The numbers of what ended.', schema: usedRowsSchema },
      refusals: [400, 404],
      handle: async ({ caller, body }) => {
        const { whole, malformed } = await readRecord(namedSchema, body());
        refuseMalformed(malformed);
        return {
          status: 200,
          body: await identityProviderAdministration.end(caller, whole.identityProvider),
        };
      },
    },
  ];
}
