import type { Sealer } from '@watchword/protocol';
import { answerPage, linkNote, pageOf, pagingParameters } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import { filterParameter, flagOf } from '../requests/parameters.ts';
import type { Route } from '../route.ts';
import { type JsonSchema, objectSchema } from '../schema/json-schema.ts';
import { readRecord, rejectMalformed } from '../schema/read-record.ts';
import { inputSchema, required } from '../schema/record-schema.ts';
import type { IdentityProviderAdministration, ListedIdentityProvider } from './identity-providers.ts';

const counts = {
  loginSessions: { type: 'integer', minimum: 0, description: 'Login sessions of its users.' },
  grants: { type: 'integer', minimum: 0, description: 'Grants of its users, with all their tokens.' },
  consents: { type: 'integer', minimum: 0, description: 'Stored consents of its users.' },
} as const;

export const identityProviderUseSchema: JsonSchema = objectSchema(
  'Numbers of the sessions, grants and consents of its users.',
  counts,
);

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

function identityProviderRecord({ identityProvider, isConfigured, ...used }: ListedIdentityProvider) {
  return { identityProvider, configured: isConfigured ?? null, ...used };
}

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
        filterParameter(
          'configured',
          'true: only identity providers that are configured on this node. false: only those that are not.',
          'boolean',
        ),
        ...pagingParameters(),
      ],
      answer: pageOf({ $ref: '#/components/schemas/IdentityProvider' }),
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
      needsFreshLogin: true,
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
