import {
  type Client,
  type ClientRegistration,
  clientFields,
  replacementOf,
  type Sealer,
} from '@watchword/protocol';
import type { ClientAddress } from '../callers/ownership.ts';
import { type Edit, revisionTag } from '../changes/edit.ts';
import { answerPage } from '../lists/listing.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import type { Totals } from '../lists/totals.ts';
import { overlapOf } from '../registered/overlap.ts';
import { listing, type RegisteredRecord, recordRoutes, schemasOf } from '../registered/record-routes.ts';
import { entityTag } from '../requests/entity-tags.ts';
import { filterOf, filterParameter, flagOf, recordId } from '../requests/parameters.ts';
import type { AdminAnswer, AdminHandler, AdminRequest, Route } from '../route.ts';
import { readPatch, readRecord } from '../schema/read-record.ts';
import type { ClientAdministration } from './client-administration.ts';
import { answeredClient } from './client-record.ts';
import { clientSchema, newClientSchema, trustNote } from './schema.ts';

const collection = '/admin/resourceServer/{resourceServerId}/client';
/** The path of one client. */
export const one = `${collection}/{id}`;
const tag = 'Clients';

const client: Omit<RegisteredRecord, 'handlers'> = {
  name: 'Client',
  noun: 'a client',
  tag,
  schema: clientSchema,
  newSchema: newClientSchema,
  collection,
  creation: {
    description: 'Only this answer contains the secret of the client. A public client has no secret.',
    errors: [400, 404, 409],
  },
  replacement: {
    description: `A field that is left out gets the default of a new client. ${trustNote}`,
    errors: [400, 404, 412],
  },
  change: {
    description: `A merge patch (RFC 7396): a field that is left out does not change. ${trustNote}`,
    errors: [400, 404, 412],
  },
  deletion: {
    description:
      'All tokens of the client are revoked. The client of the administration pages cannot be deleted: 409.',
    errors: [400, 404, 409, 412],
  },
  rotation: {
    description:
      'Every other secret of the client ends: at once, or with the overlap, for which five that never expire leave no room: 409. A public client has no secret: 400.',
    errors: [400, 404, 409],
  },
};

export function clientRoutes(deps: ClientRouteDependencies): Route[] {
  const handlers = clientHandlers(deps);
  const lists = listing(client, 'Ordered by id.', 'name, clientId, description or contact');
  const list = {
    ...lists,
    query: [...lists.query, filterParameter('lastIssued', 'true: each client has lastIssued.', 'boolean')],
  };
  return [
    {
      id: 'listAllClients',
      ...list,
      path: allClientsPath,
      summary: 'List the clients of all resource servers',
      errors: [400],
      handle: handlers.listAll,
    },
    {
      id: 'listClients',
      ...list,
      path: collection,
      summary: 'List the clients of a resource server',
      errors: [400, 404],
      handle: handlers.list,
    },
    ...recordRoutes({ ...client, handlers }),
    {
      id: 'confirmClient',
      method: 'POST',
      path: `${one}/confirmation`,
      tag,
      summary: 'Confirm a client',
      description: `An administrator confirms the record in its current state, and it becomes trusted. ${trustNote}`,
      scope: 'write',
      isConditional: true,
      answer: {
        status: 200,
        description: 'The record after the change.',
        schema: schemasOf({ name: 'Client' }).record,
        headers: ['ETag'],
      },
      errors: [400, 404, 412],
      handle: handlers.confirm,
    },
    {
      id: 'revokeClientTokens',
      needsFreshLogin: true,
      method: 'POST',
      path: `${one}/revocation`,
      tag,
      summary: 'Revoke all tokens of a client',
      description:
        'Revokes every code, access token and refresh token that was issued to the client until now. The cost does not depend on their number.',
      scope: 'write',
      answer: { status: 204, description: 'All of them are revoked.' },
      errors: [400, 404],
      handle: handlers.revokeTokens,
    },
  ];
}

export interface ClientRouteDependencies {
  readonly clients: ClientAdministration;
  readonly sealer: Sealer;
  readonly statistics: {
    /** When a token was last issued to each client, by record id, in epoch milliseconds. */
    lastIssued(clients: readonly Client[]): Promise<ReadonlyMap<number, number>>;
  };
  readonly totals: Totals;
}

/** Parameters of the lists that leave nothing out. */
const kept = ['lastIssued'];

interface ListedClient {
  readonly client: Client;
  readonly lastIssued?: number | null;
}

function listedClient({ client, ...use }: ListedClient) {
  return { ...answeredClient(client), ...use };
}

/** The list of the clients of all resource servers. */
const allClientsPath = '/admin/client';

/** Answers the routes of clients. */
function clientHandlers({ clients, sealer, statistics, totals }: ClientRouteDependencies) {
  /** One query for all clients of the page. */
  const listed = async (
    request: AdminRequest,
    { items, next }: Page<Client, number>,
  ): Promise<Page<ListedClient, number>> => {
    if (flagOf(request, 'lastIssued') !== true)
      return { items: items.map((each) => ({ client: each })), next };
    const last = await statistics.lastIssued(items);
    return {
      items: items.map((each) => ({ client: each, lastIssued: last.get(each.id) ?? null })),
      next,
    };
  };

  const update = async (request: AdminRequest, edit: Edit<ClientRegistration>): Promise<AdminAnswer> => {
    const { caller, condition } = request;
    const { client, reset } = await clients.update(caller, clientAddressOf(request), {
      ...edit,
      ...(condition && { condition }),
    });
    return answerOne(client, reset.length > 0 ? { reset } : {});
  };

  return {
    listAll: (request) =>
      answerPage(
        request,
        { path: allClientsPath, filters: ['q'], kept, total: () => totals.clients(request.caller) },
        sealer,
        async (page: PageRequest<number>) =>
          listed(request, await clients.listAll(request.caller, { q: filterOf(request, 'q') }, page)),
        listedClient,
      ),

    list: (request) => {
      const id = recordId(request, 'resourceServerId');
      return answerPage(
        request,
        { path: collectionOf(id), filters: ['q'], kept, total: () => totals.clientsOf(id) },
        sealer,
        async (page: PageRequest<number>) =>
          listed(request, await clients.list(request.caller, id, { q: filterOf(request, 'q') }, page)),
        listedClient,
      );
    },

    create: async (request) => {
      const { caller, body, prefix } = request;
      const resourceServerId = recordId(request, 'resourceServerId');
      const { given, malformed } = await readRecord(newClientSchema, body());
      const { clientId, ...fields } = given;
      const options = { chosen: clientId || undefined };
      const { client, secret } = await clients.create(
        caller,
        resourceServerId,
        { fields, malformed },
        options,
      );
      const { body: created, headers } = answerOne(client, secretOf(secret));
      const location = `${prefix}${collectionOf(resourceServerId)}/${client.id}`;
      return { status: 201, body: created, headers: { location, ...headers } };
    },

    find: async (request) => answerOne(await clients.find(request.caller, clientAddressOf(request))),

    replace: async (request) => {
      const { given, malformed } = await readRecord(clientSchema, request.body());
      return update(request, { apply: () => replacementOf(clientFields, given), malformed });
    },

    change: async (request) => update(request, await readPatch(clientSchema, request.body())),

    confirm: async (request) =>
      answerOne(await clients.confirm(request.caller, clientAddressOf(request), request.condition)),

    delete: async (request) => {
      await clients.delete(request.caller, clientAddressOf(request), request.condition);
      return { status: 204 };
    },

    rotateSecret: async (request) => {
      const overlap = await overlapOf(request);
      const { client, secret } = await clients.rotateSecret(
        request.caller,
        clientAddressOf(request),
        overlap,
      );
      return answerOne(client, secretOf(secret));
    },

    revokeTokens: async (request) => {
      await clients.revokeTokens(request.caller, clientAddressOf(request));
      return { status: 204 };
    },
  } satisfies Readonly<Record<string, AdminHandler>>;
}

function collectionOf(resourceServerId: number): string {
  return `/admin/resourceServer/${resourceServerId}/client`;
}

export function clientAddressOf(request: AdminRequest): ClientAddress {
  return { resourceServerId: recordId(request, 'resourceServerId'), id: recordId(request, 'id') };
}

/** A public client has none. */
function secretOf(secret: string | undefined) {
  return secret === undefined ? {} : { secret };
}

/** @param issued fields that this answer alone has */
function answerOne(client: Client, issued: object = {}) {
  const headers = { etag: entityTag(revisionTag(client)) };
  return { status: 200 as const, body: { ...answeredClient(client), ...issued }, headers };
}
