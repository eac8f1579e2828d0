import {
  type Client,
  type ClientAddress,
  type ClientAdministration,
  type ClientRegistration,
  clientRecord,
  type Edit,
  type PageRequest,
  revisionTag,
  type Sealer,
} from '@watchword/protocol';
import { entityTag } from '../entity-tags.ts';
import { answerPage, filterOf, linkNote, pagingParameters, searchParameter, totalNote } from '../listing.ts';
import { recordId } from '../path-ids.ts';
import { clientSchema, trustNote } from '../records/client.ts';
import type { AdminAnswer, AdminRequest, Route } from '../route.ts';
import { readRecord } from '../schema/read-record.ts';
import { inputSchema } from '../schema/record-schema.ts';
import type { Totals } from '../totals.ts';
import { clientPatchSchema, readClientPatch } from './client-patch.ts';
import { overlapOf, overlapSchema } from './overlap.ts';

export interface ClientRouteDependencies {
  readonly clients: ClientAdministration;
  readonly sealer: Sealer;
  readonly totals: Totals;
}

const everywhere = '/admin/client';
const collection = '/admin/resourceServer/{resourceServerId}/client';
const one = `${collection}/{id}`;
const tag = 'Clients';
const record = { $ref: '#/components/schemas/Client' };
const withSecret = { $ref: '#/components/schemas/ClientWithSecret' };
const changed = { $ref: '#/components/schemas/ChangedClient' };
const whole = { schema: inputSchema(clientSchema), isRequired: true };

export function clientRoutes(deps: ClientRouteDependencies): Route[] {
  const { clients, sealer, totals } = deps;

  const create = async (request: AdminRequest): Promise<AdminAnswer> => {
    const { caller, body, prefix } = request;
    const resourceServerId = recordId(request, 'resourceServerId');
    const { values, standIns, malformed } = readRecord(clientSchema, body(), true);
    const fields: ClientRegistration = { ...standIns, ...values };
    const { client, secret } = await clients.create(caller, resourceServerId, { fields, malformed });
    const location = `${prefix}/admin/resourceServer/${resourceServerId}/client/${client.id}`;
    return { status: 201, body: shown(client, secret), headers: { location, ...tagOf(client) } };
  };

  const replace = async (request: AdminRequest): Promise<AdminAnswer> => {
    const { values, standIns, malformed } = readRecord(clientSchema, request.body(), true);
    return update(request, { apply: () => ({ ...standIns, ...values }), malformed });
  };

  const change = async (request: AdminRequest): Promise<AdminAnswer> =>
    update(request, readClientPatch(request.body()));

  const update = async (request: AdminRequest, edit: Edit<ClientRegistration>): Promise<AdminAnswer> => {
    const { caller, condition } = request;
    const { client, reset } = await clients.update(caller, addressOf(request), {
      ...edit,
      ...(condition && { condition }),
    });
    const { body, ...answer } = answerOne(client);
    return { ...answer, body: { ...body, ...(reset.length > 0 && { reset }) } };
  };

  const creation = {
    path: collection,
    tag,
    summary: 'Register a client',
    description: 'The answer has its secret, this once; a public client has none.',
    scope: 'write',
    body: whole,
    answer: {
      status: 201,
      description: 'It is registered.',
      schema: withSecret,
      headers: ['ETag', 'Location'],
    },
    refusals: [400, 404, 409],
    handle: create,
  } as const;

  const replacement = {
    path: one,
    tag,
    summary: 'Replace a client',
    description: `What is left out is as if it were new. ${trustNote}`,
    scope: 'write',
    isConditional: true,
    body: whole,
    answer: { status: 200, description: 'As it is now.', schema: changed, headers: ['ETag'] },
    refusals: [400, 404, 412],
    handle: replace,
  } as const;

  const listing = {
    method: 'GET',
    tag,
    description: `By id. ${linkNote} ${totalNote}`,
    scope: 'read',
    query: [searchParameter('name, clientId, description or contact'), ...pagingParameters()],
    answer: {
      status: 200,
      description: 'A page of them.',
      schema: { type: 'array', items: record },
      headers: ['Link', 'X-Total-Count'],
    },
  } as const;

  return [
    {
      id: 'listAllClients',
      ...listing,
      path: everywhere,
      summary: 'List the clients of all resource servers',
      refusals: [400],
      handle: (request) =>
        answerPage(
          request,
          { path: everywhere, filters: ['q'], total: () => totals.clients(request.caller) },
          sealer,
          (page: PageRequest<number>) => clients.listAll(request.caller, { q: filterOf(request, 'q') }, page),
          clientRecord,
        ),
    },
    {
      id: 'listClients',
      ...listing,
      path: collection,
      summary: 'List the clients of a resource server',
      refusals: [400, 404],
      handle: (request) => {
        const id = recordId(request, 'resourceServerId');
        return answerPage(
          request,
          {
            path: `/admin/resourceServer/${id}/client`,
            filters: ['q'],
            total: () => totals.clientsOf(id),
          },
          sealer,
          (page: PageRequest<number>) =>
            clients.list(request.caller, id, { q: filterOf(request, 'q') }, page),
          clientRecord,
        );
      },
    },
    { id: 'createClient', method: 'POST', ...creation },
    { id: 'putClientIntoList', method: 'PUT', ...creation },
    {
      id: 'getClient',
      method: 'GET',
      path: one,
      tag,
      summary: 'Read a client',
      scope: 'read',
      answer: { status: 200, description: 'The record.', schema: record, headers: ['ETag'] },
      refusals: [400, 404],
      handle: async (request) => answerOne(await clients.find(request.caller, addressOf(request))),
    },
    { id: 'replaceClient', method: 'PUT', ...replacement },
    { id: 'postClient', method: 'POST', ...replacement },
    {
      id: 'changeClient',
      method: 'PATCH',
      path: one,
      tag,
      summary: 'Change a client',
      description: `A merge patch (RFC 7396): what is left out stays as it is. ${trustNote}`,
      scope: 'write',
      isConditional: true,
      body: { schema: clientPatchSchema(), isRequired: true },
      answer: { status: 200, description: 'As it is now.', schema: changed, headers: ['ETag'] },
      refusals: [400, 404, 412],
      handle: change,
    },
    {
      id: 'confirmClient',
      method: 'POST',
      path: `${one}/confirmation`,
      tag,
      summary: 'Confirm a client',
      description: `An administrator vouches for the record as it is: it is trusted. ${trustNote}`,
      scope: 'write',
      isConditional: true,
      answer: { status: 200, description: 'As it is now.', schema: record, headers: ['ETag'] },
      refusals: [400, 404, 412],
      handle: async (request) =>
        answerOne(await clients.confirm(request.caller, addressOf(request), request.condition)),
    },
    {
      id: 'deleteClient',
      method: 'DELETE',
      path: one,
      tag,
      summary: 'Delete a client',
      description: 'All its tokens die. The client of the administration pages cannot be deleted: 409.',
      scope: 'write',
      isConditional: true,
      answer: { status: 204, description: 'It is gone.' },
      refusals: [400, 404, 409, 412],
      handle: async (request) => {
        await clients.delete(request.caller, addressOf(request), request.condition);
        return { status: 204 };
      },
    },
    {
      id: 'rotateClientSecret',
      method: 'POST',
      path: `${one}/secret`,
      tag,
      summary: 'Give a client a new secret',
      description: 'A public client has none: 400.',
      scope: 'write',
      body: { schema: overlapSchema, isRequired: false },
      answer: { status: 200, description: 'The record with its new secret, this once.', schema: withSecret },
      refusals: [400, 404],
      handle: async (request) => {
        const overlap = overlapOf(request);
        const rotated = await clients.rotateSecret(request.caller, addressOf(request), overlap);
        return { status: 200, body: shown(rotated.client, rotated.secret), headers: tagOf(rotated.client) };
      },
    },
    {
      id: 'revokeClientTokens',
      method: 'POST',
      path: `${one}/revocation`,
      tag,
      summary: 'Revoke all tokens of a client',
      description:
        'Every code, access and refresh token that was issued to it until now. The cost does not depend on their number.',
      scope: 'write',
      answer: { status: 204, description: 'None of them counts any more.' },
      refusals: [400, 404],
      handle: async (request) => {
        await clients.revokeTokens(request.caller, addressOf(request));
        return { status: 204 };
      },
    },
  ];
}

function addressOf(request: AdminRequest): ClientAddress {
  return { resourceServerId: recordId(request, 'resourceServerId'), id: recordId(request, 'id') };
}

function answerOne(client: Client) {
  return { status: 200 as const, body: clientRecord(client), headers: tagOf(client) };
}

function tagOf(client: Client) {
  return { etag: entityTag(revisionTag(client)) };
}

function shown(client: Client, secret: string | undefined) {
  return { ...clientRecord(client), ...(secret !== undefined && { secret }) };
}
