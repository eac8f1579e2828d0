import type { Sealer } from '@watchword/protocol';
import { answerPage, linkNote, pageOf, pagingParameters, searchParameter } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import { filterOf, filterParameter, timeOf, uuid } from '../requests/parameters.ts';
import type { AdminRequest, QueryParameter, Route } from '../route.ts';
import { type JsonSchema, objectSchema, timestampSchema } from '../schema/json-schema.ts';
import type { GrantAdministration, GrantSelection } from './grant-administration.ts';
import { grantRecord } from './grant-record.ts';
import type { GrantPosition } from './grant-sources.ts';
import { requireOnly, selectedBy, selectionParameters } from './selection.ts';

const text = { type: 'string' } as const;
const scopes = { type: 'array', items: text } as const;

const properties = {
  id: {
    ...text,
    format: 'uuid',
    description: 'Id of the grant; of a remembered consent that of the grant with which it was given.',
  },
  resourceOwnerId: { ...text, description: 'Principal name of the resource owner.' },
  resourceOwnerAuthority: {
    ...text,
    description:
      'The identity provider of that name: the same name at another one is another resource owner.',
  },
  subject: {
    ...text,
    description: 'Identifies the resource owner: sub of introspection. No other resource owner ever has it.',
  },
  clientId: text,
  clientName: text,
  resourceServerId: {
    type: 'integer',
    description: 'Record id of the resource server of the client; of a part, of one of the caller.',
  },
  resourceServerName: text,
  scopes: { ...scopes, description: 'Granted scopes that the client still has. Empty of a consent alone.' },
  consentedScopes: {
    ...scopes,
    description:
      'Remembered consent: the client gets these scopes again without a question. Empty when the resource owner will be asked.',
  },
  otherResourceServers: {
    type: 'array',
    description: 'The same at other resource servers than that of the client (RFC 8707).',
    items: objectSchema('Access at another resource server.', {
      resourceServerId: { type: 'integer' },
      resourceServerName: text,
      scopes,
      consentedScopes: scopes,
    }),
  },
  creationDate: { ...timestampSchema, description: 'When it was granted, in epoch milliseconds.' },
  lastUsed: {
    type: ['integer', 'null'],
    minimum: 0,
    description:
      'When a token was last issued under it, in epoch milliseconds. Requests to resource servers do not change it. null of a consent alone.',
  },
  refreshToken: { type: 'boolean', description: 'Whether the client has a refresh token that it can use.' },
  accessTokens: {
    type: 'integer',
    minimum: 0,
    description: 'Access tokens that have not expired; 0 of a part.',
  },
  part: {
    type: 'boolean',
    description:
      'Whether the client belongs to another owner. Then this is what it can do at resource servers of the caller, lastUsed is the creation date, and nothing else of the grant is shown or ended.',
  },
  principal: {
    $ref: '#/components/schemas/Principal',
    description: 'The resource owner as resource servers see it. For administrators only.',
  },
} as const;

const { principal, ...always } = properties;

export const grantSchema: JsonSchema = {
  type: 'object',
  description:
    'Access of a client on behalf of a resource owner: a grant under which a code or a token can be valid, or a consent that is remembered after its grant has ended.',
  properties,
  required: Object.keys(always),
};

export const endedGrantsSchema: JsonSchema = objectSchema('The numbers of what ended.', {
  grants: { type: 'integer', minimum: 0, description: 'Grants with all their tokens.' },
  consents: { type: 'integer', minimum: 0, description: 'Remembered consents.' },
});

const tag = 'Grants';
const path = '/admin/grant';
const one = `${path}/{id}`;
const record = { $ref: '#/components/schemas/Grant' };

const selection: readonly QueryParameter[] = [
  ...selectionParameters('grants and consents'),
  {
    name: 'since',
    description:
      'Only grants that were made, and consents that were given, at this time or later, in epoch milliseconds.',
    schema: timestampSchema,
  },
];

export function grantRoutes({
  grants,
  sealer,
}: {
  readonly grants: GrantAdministration;
  readonly sealer: Sealer;
}): Route[] {
  return [
    {
      id: 'listGrants',
      method: 'GET',
      path,
      tag,
      summary: 'List grants and remembered consents',
      description: `Administrators get all grants and consents, other callers those for clients of their resource servers, and for clients of others what these can do at their resource servers. The newest come first; with a resource server, those for its newest client. A grant without a valid access token is listed while one of its codes or tokens can be valid. After that, the consent that was given with it is listed alone while it is remembered. ${linkNote}`,
      scope: 'read',
      query: [
        searchParameter("the resource owner's name, the client's name or the clientId"),
        ...selection,
        filterParameter(
          'resourceOwnerId',
          'Only grants and consents of resource owners with this name, at any identity provider.',
        ),
        ...pagingParameters(),
      ],
      answer: pageOf(record),
      errors: [400],
      handle: (request) => {
        const q = filterOf(request, 'q');
        const resourceOwnerId = filterOf(request, 'resourceOwnerId');
        const filter = { ...selectionOf(request), q, resourceOwnerId };
        return answerPage(
          request,
          { path, filters: ['q', ...selection.map(({ name }) => name), 'resourceOwnerId'] },
          sealer,
          (page: PageRequest<GrantPosition>) => grants.list(request.caller, filter, page),
          grantRecord,
        );
      },
    },
    {
      id: 'endGrants',
      needsFreshLogin: true,
      method: 'DELETE',
      path,
      tag,
      summary: 'Revoke all grants of a resource owner, of a client or of a resource server',
      description:
        'At least one of subject, clientId and resourceServerId is required, each with a value, and no other parameter is accepted. A grant must match all given parameters. Every grant in the list with the same parameters is revoked, as by DELETE of one grant. What is given by a listed consent at the same time is revoked, too. With resourceServerId, of grants for clients of others only what they can do there ends. If the request fails, a part of the grants can be revoked.',
      scope: 'write',
      query: selection,
      answer: {
        status: 200,
        description: 'The number of revoked or removed rows of each kind.',
        schema: { $ref: '#/components/schemas/EndedGrants' },
      },
      errors: [400],
      handle: async (request) => {
        requireOnly(request, selection);
        return { status: 200, body: await grants.endAll(request.caller, selectionOf(request)) };
      },
    },
    {
      id: 'getGrant',
      method: 'GET',
      path: one,
      tag,
      summary: 'Read a grant',
      scope: 'read',
      answer: { status: 200, description: 'The record.', schema: record },
      errors: [404],
      handle: async (request) => ({
        status: 200,
        body: grantRecord(await grants.find(request.caller, uuid(request))),
      }),
    },
    {
      id: 'endGrant',
      method: 'DELETE',
      path: one,
      tag,
      summary: 'Revoke a grant',
      description:
        'The code and all tokens of the grant are immediately revoked; of a part, what they give at the resource servers of the caller. The consent of the resource owner for the client is removed, so the client cannot get a new grant without a question. Other grants of the resource owner for the client stay.',
      scope: 'write',
      answer: { status: 204, description: 'The grant is revoked.' },
      errors: [404],
      handle: async (request) => {
        await grants.end(request.caller, uuid(request));
        return { status: 204 };
      },
    },
  ];
}

/** @throws OAuthError `invalid_request` */
function selectionOf(request: AdminRequest): GrantSelection {
  return { ...selectedBy(request), since: timeOf(request, 'since') };
}
