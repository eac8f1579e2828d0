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
    description: 'Only this answer has its secret; a public client has none.',
    scope: 'write',
    body: whole,
    answer: {
      status: 201,
      description: 'It is registered.',
      schema: withSecret,
      headers: ['ETag', 'Location'],
    },
    refusals: [400, 404, 409],
    handle: handlers.create,
  } as const;

  const replacement = {
    path: one,
    tag,
    summary: 'Replace a client',
    description: `A field that is left out gets the value that a new client has. ${trustNote}`,
    scope: 'write',
    isConditional: true,
    body: whole,
    answer: { status: 200, description: 'As it is now.', schema: changed, headers: ['ETag'] },
    refusals: [400, 404, 412],
    handle: handlers.replace,
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
      path: allClientsPath,
      summary: 'List the clients of all resource servers',
      refusals: [400],
      handle: handlers.listAll,
    },
    {
      id: 'listClients',
      ...listing,
      path: collection,
      summary: 'List the clients of a resource server',
      refusals: [400, 404],
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
      refusals: [400, 404],
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
      description: `A merge patch (RFC 7396): what is left out stays as it is. ${trustNote}`,
      scope: 'write',
      isConditional: true,
      body: { schema: patchSchema(clientSchema), isRequired: true },
      answer: { status: 200, description: 'As it is now.', schema: changed, headers: ['ETag'] },
      refusals: [400, 404, 412],
      handle: handlers.change,
    },
    {
      id: 'confirmClient',
      method: 'POST',
      path: `${one}/confirmation`,
      tag,
      summary: 'Confirm a client',
      description: `An administrator vouches for the record in its present state: it becomes trusted. ${trustNote}`,
      scope: 'write',
      isConditional: true,
      answer: { status: 200, description: 'As it is now.', schema: record, headers: ['ETag'] },
      refusals: [400, 404, 412],
      handle: handlers.confirm,
    },
    {
      id: 'deleteClient',
      method: 'DELETE',
      path: one,
      tag,
      summary: 'Delete a client',
      description:
        'All its tokens are revoked. The client of the administration pages cannot be deleted: 409.',
      scope: 'write',
      isConditional: true,
      answer: { status: 204, description: 'It is deleted.' },
      refusals: [400, 404, 409, 412],
      handle: handlers.delete,
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
      answer: {
        status: 200,
        description: 'The record with its new secret. No later answer has it.',
        schema: withSecret,
      },
      refusals: [400, 404],
      handle: handlers.rotateSecret,
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
      answer: { status: 204, description: 'None of them is valid any more.' },
      refusals: [400, 404],
      handle: handlers.revokeTokens,
    },
  ];
}
