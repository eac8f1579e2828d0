import { linkNote, pagingParameters, searchParameter, totalNote } from '../listing.ts';
import { clientSchema, trustNote } from '../records/client.ts';
import type { Route } from '../route.ts';
import { inputSchema, patchSchema } from '../schema/record-schema.ts';
import { allClientsPath, type ClientRouteDependencies, clientHandlers } from './client-handlers.ts';
import { overlapSchema } from './overlap.ts';

const collection = '/admin/resourceServer/{resourceServerId}/client';
const one = `${collection}/{id}`;
const tag = 'Clients';
const record = { $ref: '#/components/schemas/Client' };
const withSecret = { $ref: '#/components/schemas/ClientWithSecret' };
const changed = { $ref: '#/components/schemas/ChangedClient' };
const whole = { schema: inputSchema(clientSchema), isRequired: true };

export function clientRoutes(deps: ClientRouteDependencies): Route[] {
  const handlers = clientHandlers(deps);

  const creation = {
    path: collection,
    tag,
    summary: 'Register a client',
    description: 'Only this answer contains the secret of the client. A public client has no secret.',
    scope: 'write',
    body: whole,
    answer: {
      status: 201,
      description: 'The record is registered.',
      schema: withSecret,
      headers: ['ETag', 'Location'],
    },
    errors: [400, 404, 409],
    handle: handlers.create,
  } as const;

  const replacement = {
    path: one,
    tag,
    summary: 'Replace a client',
    description: `A field that is left out gets the default of a new client. ${trustNote}`,
    scope: 'write',
    isConditional: true,
    body: whole,
    answer: { status: 200, description: 'The record after the change.', schema: changed, headers: ['ETag'] },
    errors: [400, 404, 412],
    handle: handlers.replace,
  } as const;

  const listing = {
    method: 'GET',
    tag,
    description: `Ordered by id. ${linkNote} ${totalNote}`,
    scope: 'read',
    query: [searchParameter('name, clientId, description or contact'), ...pagingParameters()],
    answer: {
      status: 200,
      description: 'A page of the list.',
      schema: { type: 'array', items: record },
      headers: ['Link', 'X-Total-Count'],
    },
  } as const;

  return [
    {
      id: 'listAllClients',
      ...listing,
      path: allClientsPath,
      summary: 'List the clients of all resource servers',
      errors: [400],
      handle: handlers.listAll,
    },
    {
      id: 'listClients',
      ...listing,
      path: collection,
      summary: 'List the clients of a resource server',
      errors: [400, 404],
      handle: handlers.list,
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
      errors: [400, 404],
      handle: handlers.find,
    },
    { id: 'replaceClient', method: 'PUT', ...replacement },
    { id: 'postClient', method: 'POST', ...replacement },
    {
      id: 'changeClient',
      method: 'PATCH',
      path: one,
      tag,
      summary: 'Change a client',
      description: `A merge patch (RFC 7396): a field that is left out does not change. ${trustNote}`,
      scope: 'write',
      isConditional: true,
      body: { schema: patchSchema(clientSchema), isRequired: true },
      answer: {
        status: 200,
        description: 'The record after the change.',
        schema: changed,
        headers: ['ETag'],
      },
      errors: [400, 404, 412],
      handle: handlers.change,
    },
    {
      id: 'confirmClient',
      method: 'POST',
      path: `${one}/confirmation`,
      tag,
      summary: 'Confirm a client',
      description: `An administrator confirms the record in its current state, and it becomes trusted. ${trustNote}`,
      scope: 'write',
      isConditional: true,
      answer: { status: 200, description: 'The record after the change.', schema: record, headers: ['ETag'] },
      errors: [400, 404, 412],
      handle: handlers.confirm,
    },
    {
      id: 'deleteClient',
      method: 'DELETE',
      path: one,
      tag,
      summary: 'Delete a client',
      description:
        'All tokens of the client are revoked. The client of the administration pages cannot be deleted: 409.',
      scope: 'write',
      isConditional: true,
      answer: { status: 204, description: 'The record is deleted.' },
      errors: [400, 404, 409, 412],
      handle: handlers.delete,
    },
    {
      id: 'rotateClientSecret',
      method: 'POST',
      path: `${one}/secret`,
      tag,
      summary: 'Give a client a new secret',
      description: 'A public client has no secret: 400.',
      scope: 'write',
      body: { schema: overlapSchema, isRequired: false },
      answer: {
        status: 200,
        description: 'The record with its new secret. No later answer contains the secret.',
        schema: withSecret,
      },
      errors: [400, 404],
      handle: handlers.rotateSecret,
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
