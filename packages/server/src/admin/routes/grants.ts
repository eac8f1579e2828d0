import {
  type GrantAdministration,
  type GrantPosition,
  type GrantSelection,
  grantRecord,
  type PageRequest,
  type Sealer,
} from '@watchword/protocol';
import { answerPage, linkNote, pagingParameters, searchParameter } from '../listing.ts';
import { recordIdOf, uuid } from '../path-ids.ts';
import { filterOf } from '../query-values.ts';
import type { AdminRequest, QueryParameter, Route } from '../route.ts';

const tag = 'Grants';
const path = '/admin/grant';
const one = `${path}/{id}`;
const record = { $ref: '#/components/schemas/Grant' };

const selection: readonly QueryParameter[] = [
  { name: 'subject', description: 'Only those of this resource owner.', schema: { type: 'string' } },
  { name: 'clientId', description: 'Only those to this client.', schema: { type: 'string' } },
  {
    name: 'resourceServerId',
    description: 'Only those to clients of the resource server with this record id.',
    schema: { type: 'integer', minimum: 1 },
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
      summary: 'List who has access: grants and remembered consents',
      description: `Those to clients of the caller's resource servers, to administrators all; the newest first, of a resource server those to its newest client first. A grant without an active access token is listed while a code or token under it can be valid. A remembered consent is listed alone while its resource owner has no active grant for the client. ${linkNote}`,
      scope: 'read',
      query: [
        searchParameter("the resource owner's name, the client's name or the clientId"),
        ...selection,
        {
          name: 'resourceOwnerId',
          description: 'Only those of resource owners of this name, at any identity provider.',
          schema: { type: 'string' },
        },
        ...pagingParameters(),
      ],
      answer: {
        status: 200,
        description: 'A page of them.',
        schema: { type: 'array', items: record },
        headers: ['Link'],
      },
      refusals: [400],
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
      method: 'DELETE',
      path,
      tag,
      summary: 'End all grants of a resource owner, of a client or of a resource server',
      description:
        'Of several parameters all must fit; one is required. Every grant that the list shows with the same parameters ends as at DELETE of one. What is granted meanwhile does not end. When the request fails, a part can have ended.',
      scope: 'write',
      query: selection,
      answer: {
        status: 200,
        description: 'The numbers of what ended.',
        schema: { $ref: '#/components/schemas/EndedGrants' },
      },
      refusals: [400],
      handle: async (request) => ({
        status: 200,
        body: await grants.endAll(request.caller, selectionOf(request)),
      }),
    },
    {
      id: 'getGrant',
      method: 'GET',
      path: one,
      tag,
      summary: 'Read a grant',
      scope: 'read',
      answer: { status: 200, description: 'The record.', schema: record },
      refusals: [404],
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
      summary: 'End a grant',
      description:
        'Its code and all its tokens are revoked, at once. What its resource owner consented to for the client is forgotten, so that the client cannot get a new grant without a question. Other grants of the resource owner to the client stay.',
      scope: 'write',
      answer: { status: 204, description: 'It has ended.' },
      refusals: [404],
      handle: async (request) => {
        await grants.end(request.caller, uuid(request));
        return { status: 204 };
      },
    },
  ];
}

/** @throws OAuthError `invalid_request` */
function selectionOf(request: AdminRequest): GrantSelection {
  const resourceServer = filterOf(request, 'resourceServerId');
  return {
    subject: filterOf(request, 'subject'),
    clientId: filterOf(request, 'clientId'),
    resourceServerId: resourceServer === undefined ? undefined : recordIdOf(resourceServer),
  };
}
