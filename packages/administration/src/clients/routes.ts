import { listing, type RegisteredRecord, recordRoutes, schemasOf } from '../registered/record-routes.ts';
import type { Route } from '../route.ts';
import { allClientsPath, type ClientRouteDependencies, clientHandlers } from './handlers.ts';
import { clientSchema, newClientSchema, trustNote } from './schema.ts';

const collection = '/admin/resourceServer/{resourceServerId}/client';
const one = `${collection}/{id}`;
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
  rotation: { description: 'A public client has no secret: 400.', errors: [400, 404] },
};

export function clientRoutes(deps: ClientRouteDependencies): Route[] {
  const handlers = clientHandlers(deps);
  const list = listing(client, 'Ordered by id.', 'name, clientId, description or contact');
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
