import type { Sealer } from '@watchword/protocol';
import { answerPage, linkNote, pagingParameters } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import { flagOf } from '../requests/query-values.ts';
import type { Route } from '../route.ts';
import { readRecord, rejectMalformed } from '../schema/read-record.ts';
import { inputSchema, required } from '../schema/record-schema.ts';
import type { IdentityProviderAdministration } from './identity-providers.ts';
import { identityProviderRecord } from './schema.ts';

const tag = 'Identity providers';
const path = '/admin/identityProvider';

const namedSchema = {
  description: 'An identity provider by its name.',
  fields: {
    identityProvider: required(
      { type: 'text', minLength: 1 },
      'The name of the identity provider, exactly as in the list.',
    ),
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
      description: `Ordered by name, with the number of sessions, grants and consents. Only administrators see them; any other caller gets an empty list. Each request reads whole tables. ${linkNote}`,
      scope: 'read',
      query: [
        {
          name: 'configured',
          description:
            'true: only identity providers that are configured on this node. false: only those that are not.',
          schema: { type: 'boolean' },
        },
        ...pagingParameters(),
      ],
      answer: {
        status: 200,
        description: 'A page of the list.',
        schema: { type: 'array', items: { $ref: '#/components/schemas/IdentityProvider' } },
        headers: ['Link'],
      },
      errors: [400],
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
        'The login sessions of these users end, their codes, access tokens and refresh tokens are revoked, and their consented scopes are removed. Only for administrators. The identity provider can be configured or not.',
      scope: 'write',
      body: { schema: inputSchema(namedSchema), isRequired: true },
      answer: {
        status: 200,
        description: 'The number of revoked or removed rows of each kind.',
        schema: { $ref: '#/components/schemas/IdentityProviderUse' },
      },
      errors: [400, 404],
      handle: async ({ caller, body }) => {
        const { whole, malformed } = await readRecord(namedSchema, body());
        rejectMalformed(malformed);
        return {
          status: 200,
          body: await identityProviderAdministration.end(caller, whole.identityProvider),
        };
      },
    },
  ];
}
