import { linkNote, pagingParameters, searchParameter, totalNote } from '../listing.ts';
import { scopesParameter, submittedResourceServerSchema } from '../records/resource-server.ts';
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
const record = answered('ResourceServer');
const withSecret = answered('ResourceServerWithSecret');
const changed = answered('ChangedResourceServer');
const wholeBody = { schema: inputSchema(submittedResourceServerSchema), isRequired: true };

export function resourceServerRoutes(deps: ResourceServerRouteDependencies): Route[] {
  const handlers = resourceServerHandlers(deps);

  const creation = {
    path: resourceServersPath,
    tag,
    summary: 'Register a resource server',
    description: 'The caller becomes its owner. Only this answer has its secret.',
    scope: 'write',
    query: [scopesParameter],
    body: wholeBody,
    answer: {
      status: 201,
      description: 'It is registered.',
      schema: withSecret,
      headers: ['ETag', 'Location'],
    },
    refusals: [400, 409],
    handle: handlers.create,
  } as const;

  const replacement = {
    path: one,
    tag,
    summary: 'Replace a resource server',
    description:
      'A field that is left out gets the value that a new resource server has; a scope that is named alone keeps its description. Its clients lose the scopes that it loses, at the same time. Unless the caller is an administrator, skipConsent and trusted of these clients are reset, and of those that have a scope whose description changed.',
    scope: 'write',
    isConditional: true,
    query: [scopesParameter],
    body: wholeBody,
    answer: { status: 200, description: 'As it is now.', schema: changed, headers: ['ETag'] },
    refusals: [400, 404, 409, 412],
    handle: handlers.replace,
  } as const;

  return [
    {
      id: 'listResourceServers',
      method: 'GET',
      path: resourceServersPath,
      tag,
      summary: 'List resource servers',
      description: `Those of the caller, for administrators all, by id. ${linkNote} ${totalNote}`,
      scope: 'read',
      query: [
        searchParameter('name, key, description, contact or owner'),
        ...pagingParameters(),
        scopesParameter,
      ],
      answer: {
        status: 200,
        description: 'A page of them.',
        schema: { type: 'array', items: record },
        headers: ['Link', 'X-Total-Count'],
      },
      refusals: [400],
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
      query: [scopesParameter],
      answer: { status: 200, description: 'The record.', schema: record, headers: ['ETag'] },
      refusals: [400, 404],
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
      description: 'A merge patch (RFC 7396): what is left out stays as it is.',
      scope: 'write',
      isConditional: true,
      query: [scopesParameter],
      body: { schema: patchSchema(submittedResourceServerSchema), isRequired: true },
      answer: { status: 200, description: 'As it is now.', schema: changed, headers: ['ETag'] },
      refusals: [400, 404, 409, 412],
      handle: handlers.change,
    },
    {
      id: 'deleteResourceServer',
      method: 'DELETE',
      path: one,
      tag,
      summary: 'Delete a resource server',
      description:
        'Its clients are deleted with it, and all their tokens are revoked. The administration interface itself cannot be deleted: 409.',
      scope: 'write',
      isConditional: true,
      answer: { status: 204, description: 'It is deleted.' },
      refusals: [400, 404, 409, 412],
      handle: handlers.delete,
    },
    {
      id: 'rotateResourceServerSecret',
      method: 'POST',
      path: `${one}/secret`,
      tag,
      summary: 'Give a resource server a new secret',
      scope: 'write',
      query: [scopesParameter],
      body: { schema: overlapSchema, isRequired: false },
      answer: {
        status: 200,
        description: 'The record with its new secret. No later answer has it.',
        schema: withSecret,
      },
      refusals: [400, 404],
      handle: handlers.rotateSecret,
    },
  ];
}

/** With names of scopes, or with `scopes=described`. */
function answered(name: string) {
  return {
    anyOf: [
      { $ref: `#/components/schemas/${name}` },
      { $ref: '#/components/schemas/DescribedResourceServer' },
    ],
  };
}
