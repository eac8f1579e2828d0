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
import type { PageRequest } from '../lists/page.ts';
import type { Totals } from '../lists/totals.ts';
import { answeredClient } from '../records.ts';
import { overlapOf } from '../registered/overlap.ts';
import { entityTag } from '../requests/entity-tags.ts';
import { recordId } from '../requests/path-ids.ts';
import { filterOf } from '../requests/query-values.ts';
import type { AdminAnswer, AdminHandler, AdminRequest } from '../route.ts';
import { readPatch, readRecord } from '../schema/read-record.ts';
import type { ClientAdministration } from './client-administration.ts';
import { clientSchema, newClientSchema } from './schema.ts';

export interface ClientRouteDependencies {
  readonly clients: ClientAdministration;
  readonly sealer: Sealer;
  readonly totals: Totals;
}

/** The list of the clients of all resource servers. */
export const allClientsPath = '/admin/client';

/** Answers the routes of clients. */
export function clientHandlers({ clients, sealer, totals }: ClientRouteDependencies) {
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
        { path: allClientsPath, filters: ['q'], total: () => totals.clients(request.caller) },
        sealer,
        (page: PageRequest<number>) => clients.listAll(request.caller, { q: filterOf(request, 'q') }, page),
        answeredClient,
      ),

    list: (request) => {
      const id = recordId(request, 'resourceServerId');
      return answerPage(
        request,
        { path: collectionOf(id), filters: ['q'], total: () => totals.clientsOf(id) },
        sealer,
        (page: PageRequest<number>) => clients.list(request.caller, id, { q: filterOf(request, 'q') }, page),
        answeredClient,
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
