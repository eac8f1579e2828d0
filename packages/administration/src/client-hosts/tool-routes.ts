import type { Sealer } from '@watchword/protocol';
import { answerPage, linkNote, pageOf, pagingParameters, searchParameter } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import { filterOf, filterParameter, flagOf, invalidParameter } from '../requests/parameters.ts';
import type { AdminRequest, QueryParameter, Route } from '../route.ts';
import { type JsonSchema, nullableTimestampSchema, objectSchema } from '../schema/json-schema.ts';
import type { ToolAdministration, ToolPosition, ToolSelection, ToolUse } from './tools.ts';

export interface ToolRouteDependencies {
  readonly tools: ToolAdministration;
  readonly sealer: Sealer;
}

const tag = 'Described clients';
const path = '/admin/describedClient';
const onlyAdministrators = 'Only for administrators.';
// What users gave each client of a page is read.
const maxLimit = 100;
const scopes = { type: 'array', items: { type: 'string' } } as const;

export const describedClientSchema: JsonSchema = objectSchema(
  'A client that nobody registered here: a document describes it, or it registered itself.',
  {
    id: { type: 'integer', description: 'Its record id.' },
    resourceserver_id: { type: 'integer', description: 'Record id of the home of such clients.' },
    clientId: { type: 'string', description: 'The URL of its document, unless it registered itself.' },
    clientName: {
      type: 'string',
      description: 'What it calls itself, with the host of its document behind it.',
    },
    host: {
      type: ['string', 'null'],
      description:
        'The host of its document, which is responsible for it; null if it registered itself: nobody vouches for its name.',
    },
    allowed: { type: 'boolean', description: 'Whether new requests of it are accepted.' },
    users: {
      type: 'integer',
      description: 'Resource owners with a valid grant, among its newest 1000 grants.',
    },
    scopes: { ...scopes, description: 'What these grants give it of OpenID Connect.' },
    otherResourceServers: {
      type: 'array',
      description: 'What they give it at resource servers.',
      items: objectSchema('Access at a resource server.', {
        resourceServerId: { type: 'integer' },
        resourceServerName: { type: 'string' },
        scopes,
      }),
    },
    lastIssued: {
      ...nullableTimestampSchema,
      description:
        'Epoch milliseconds: the hour in which a token was last issued; null if none was in the last month.',
    },
  },
);

export const endedClientsSchema: JsonSchema = objectSchema('How many clients ended.', {
  clients: {
    type: 'integer',
    minimum: 0,
    description: 'Clients that were deleted, with all that users gave them.',
  },
});

const selection: readonly QueryParameter[] = [
  filterParameter('host', 'Only those whose document is at this host, with its port if it has one.'),
  filterParameter('registered', 'true: only those that registered themselves.', 'boolean'),
];

export function toolRoutes({ tools, sealer }: ToolRouteDependencies): Route[] {
  return [
    {
      id: 'listDescribedClients',
      method: 'GET',
      path,
      tag,
      summary: 'List the clients that nobody registered here',
      description: `Those to which a user has consented, and those that registered themselves, with what users gave them. By the host of the document, those that registered themselves at the end. ${onlyAdministrators} ${linkNote}`,
      scope: 'read',
      query: [searchParameter('the name or the clientId'), ...selection, ...pagingParameters(maxLimit)],
      answer: pageOf({ $ref: '#/components/schemas/DescribedClient' }),
      errors: [400],
      handle: (request) => {
        const filter = { ...selectedBy(request), q: filterOf(request, 'q') };
        return answerPage(
          request,
          { path, filters: ['q', 'host', 'registered'], maxLimit },
          sealer,
          (page: PageRequest<ToolPosition>) => tools.list(request.caller, filter, page),
          shown,
        );
      },
    },
    {
      id: 'endDescribedClients',
      needsFreshLogin: true,
      method: 'DELETE',
      path,
      tag,
      summary: 'End clients that nobody registered here',
      description: `All that users gave them ends at once: grants, tokens and consents. A client of a document comes back when a user consents again; one that registered itself must register again. Exactly one of host, registered and all selects them. ${onlyAdministrators}`,
      scope: 'write',
      query: [...selection, filterParameter('all', 'true: all of them.', 'boolean')],
      answer: {
        status: 200,
        description: 'How many ended.',
        schema: { $ref: '#/components/schemas/EndedClients' },
      },
      errors: [400],
      async handle(request) {
        return { status: 200, body: { clients: await tools.end(request.caller, endedBy(request)) } };
      },
    },
  ];
}

/** @throws OAuthError `invalid_request` */
function selectedBy(request: AdminRequest): ToolSelection {
  const host = filterOf(request, 'host');
  const isRegistered = flagOf(request, 'registered') === true;
  if (host !== undefined && isRegistered)
    throw invalidParameter('One of host and registered selects clients, not both.');
  return { vendor: isRegistered ? '' : host };
}

/** A request that says nothing must not end everything, nor one that says more than it means. @throws OAuthError `invalid_request` */
function endedBy(request: AdminRequest): ToolSelection {
  const names = [...request.query.keys()];
  const [name = ''] = names;
  const isOne = names.length === 1 && ['host', 'registered', 'all'].includes(name);
  const selected = selectedBy(request);
  const isAll = flagOf(request, 'all') === true;
  if (isOne && (isAll || selected.vendor !== undefined)) return selected;
  throw invalidParameter(
    'Say which clients end by exactly one parameter: host with a host, registered=true, or all=true.',
  );
}

function shown({ client, home, vendor, isAllowed, access, resourceOwners, lastIssued }: ToolUse) {
  const { id, clientId, clientName } = client;
  return {
    id,
    resourceserver_id: home.id,
    clientId,
    clientName,
    host: vendor === '' ? null : vendor,
    allowed: isAllowed,
    users: resourceOwners,
    scopes: access.scopes,
    otherResourceServers: access.others.map(({ resourceServer, scopes: names }) => ({
      resourceServerId: resourceServer.id,
      resourceServerName: resourceServer.name,
      scopes: names,
    })),
    lastIssued: lastIssued ?? null,
  };
}
