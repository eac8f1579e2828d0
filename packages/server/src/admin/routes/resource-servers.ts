import { linkNote, pagingParameters, searchParameter, totalNote } from '../listing.ts';
import { resourceServerSchema } from '../records/resource-server.ts';
import type { Route } from '../route.ts';
import { inputSchema, patchSchema } from '../schema/record-schema.ts';
import { overlapSchema } from './overlap.ts';
import {
  type ResourceServerRouteDependencies,
  resourceServerHandlers,
  resourceServersPath,
} from './resource-server-handlers.ts';

const one = `${resourceServersPath}/{id}`;
const tag = 'Resource servers';
const record = { $ref: '#/components/schemas/ResourceServer' };
const withSecret = { $ref: '#/components/schemas/ResourceServerWithSecret' };
const changed = { $ref: '#/components/schemas/ChangedResourceServer' };
const wholeBody = { schema: inputSchema(resourceServerSchema), isRequired: true };

export function resourceServerRoutes(deps: ResourceServerRouteDependencies): Route[] {
  const handlers = resourceServerHandlers(deps);

  const creation = {
    path: resourceServersPath,
    tag,
    summary: 'Register a resource server',
    description:
      'The caller becomes the record owner. Only this answer contains the secret of the resource server.',
    scope: 'write',
    body: wholeBody,
    answer: {
      status: 201,
      description: 'The record is registered.',
      schema: withSecret,
      headers: ['ETag', 'Location'],
    },
    errors: [400, 409],
    handle: handlers.create,
  } as const;

  const replacement = {
    path: one,
    tag,
    summary: 'Replace a resource server',
    description:
      'A field that is left out gets the default of a new resource server. A scope that the resource server loses is also removed from its clients. Unless the caller is an administrator, skipConsent and trusted of these clients are set to false.',
    scope: 'write',
    isConditional: true,
    body: wholeBody,
    answer: { status: 200, description: 'The record after the change.', schema: changed, headers: ['ETag'] },
    errors: [400, 404, 409, 412],
    handle: handlers.replace,
  } as const;

  return [
    {
      id: 'listResourceServers',
      method: 'GET',
      path: resourceServersPath,
      tag,
      summary: 'List resource servers',
      description: `Administrators get all resource servers, other callers their own, ordered by id. ${linkNote} ${totalNote}`,
      scope: 'read',
      query: [searchParameter('name, key, description, contact or owner'), ...pagingParameters()],
      answer: {
        status: 200,
        description: 'A page of the list.',
        schema: { type: 'array', items: record },
        headers: ['Link', 'X-Total-Count'],
      },
      errors: [400],
      handle: handlers.list,
    },
    { id: 'createResourceServer', method: 'POST', ...creation },
    { id: 'putResourceServerIntoList', method: 'PUT', ...creation },
    {
      id: 'getResourceServer',
      method: 'GET',
      path: one,
      tag,
      summary: 'Read a resource server',
      scope: 'read',
      answer: { status: 200, description: 'The record.', schema: record, headers: ['ETag'] },
      errors: [400, 404],
      handle: handlers.find,
    },
    { id: 'replaceResourceServer', method: 'PUT', ...replacement },
    { id: 'postResourceServer', method: 'POST', ...replacement },
    {
      id: 'changeResourceServer',
      method: 'PATCH',
      path: one,
      tag,
      summary: 'Change a resource server',
      description: 'A merge patch (RFC 7396): a field that is left out does not change.',
      scope: 'write',
      isConditional: true,
      body: { schema: patchSchema(resourceServerSchema), isRequired: true },
      answer: {
        status: 200,
        description: 'The record after the change.',
        schema: changed,
        headers: ['ETag'],
      },
      errors: [400, 404, 409, 412],
      handle: handlers.change,
    },
    {
      id: 'deleteResourceServer',
      method: 'DELETE',
      path: one,
      tag,
      summary: 'Delete a resource server',
      description:
        'The clients of the resource server are also deleted, and all their tokens are revoked. The resource server of the administration interface cannot be deleted: 409.',
      scope: 'write',
      isConditional: true,
      answer: { status: 204, description: 'The record is deleted.' },
      errors: [400, 404, 409, 412],
      handle: handlers.delete,
    },
    {
      id: 'rotateResourceServerSecret',
      method: 'POST',
      path: `${one}/secret`,
      tag,
      summary: 'Give a resource server a new secret',
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
  ];
}
