import {
  type IdentityProviderAdministration,
  OAuthError,
  type PageRequest,
  type Sealer,
} from '@watchword/protocol';
import { answerPage, filterOf, linkNote, pagingParameters } from '../listing.ts';
import { identityProviderRecord, usedRowsSchema } from '../records/identity-provider.ts';
import type { AdminRequest, Route } from '../route.ts';
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
      summary: 'Read of which identity providers people have something',
      description: `With how much that is, by name; to administrators alone, anybody else gets an empty list. The tables are read whole for it. ${linkNote}`,
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
        const configured = configuredOf(request);
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
      summary: 'End for good what people of an identity provider have',
      description:
        'Their login sessions end, every code, access and refresh token that was issued in their name dies, and what they consented to is forgotten. For administrators alone, and also for one that is configured.',
      scope: 'write',
      body: { schema: inputSchema(namedSchema), isRequired: true },
      answer: { status: 200, description: 'What ended.', schema: usedRowsSchema },
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

/** @throws OAuthError `invalid_request` */
function configuredOf(request: AdminRequest): boolean | undefined {
  const given = filterOf(request, 'configured');
  if (given === undefined) return undefined;
  if (given === 'true' || given === 'false') return given === 'true';
  throw new OAuthError('invalid_request', {
    description: 'The parameter configured is neither true nor false.',
  });
}
