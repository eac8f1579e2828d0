import {
  type Edit,
  type PageRequest,
  type ResourceServer,
  type ResourceServerAdministration,
  type ResourceServerRegistration,
  resourceServerRecord,
  revisionTag,
  type Sealer,
} from '@watchword/protocol';
import { entityTag } from '../entity-tags.ts';
import { answerPage, linkNote, pagingParameters, searchParameter, totalNote } from '../listing.ts';
import { recordId } from '../path-ids.ts';
import { filterOf } from '../query-values.ts';
import { resourceServerSchema } from '../records/resource-server.ts';
import type { AdminAnswer, AdminRequest, Route } from '../route.ts';
import { readPatch, readRecord } from '../schema/read-record.ts';
import { inputSchema, patchSchema } from '../schema/record-schema.ts';
import type { Totals } from '../totals.ts';
import { overlapOf, overlapSchema } from './overlap.ts';

export interface ResourceServerRouteDependencies {
  readonly resourceServers: ResourceServerAdministration;
  readonly sealer: Sealer;
  readonly totals: Totals;
}

const collection = '/admin/resourceServer';
const one = '/admin/resourceServer/{id}';
const tag = 'Resource servers';
const record = { $ref: '#/components/schemas/ResourceServer' };
const withSecret = { $ref: '#/components/schemas/ResourceServerWithSecret' };
const changed = { $ref: '#/components/schemas/ChangedResourceServer' };
const wholeBody = { schema: inputSchema(resourceServerSchema), isRequired: true };

export function resourceServerRoutes(deps: ResourceServerRouteDependencies): Route[] {
  const { resourceServers, sealer, totals } = deps;

  const create = async ({ caller, body, prefix }: AdminRequest): Promise<AdminAnswer> => {
    const { whole: fields, malformed } = await readRecord(resourceServerSchema, body());
    const { resourceServer, secret } = await resourceServers.create(caller, { fields, malformed });
    const location = `${prefix}${collection}/${resourceServer.id}`;
    const { body: created, headers } = answerOne(resourceServer, { secret });
    return { status: 201, body: created, headers: { location, ...headers } };
  };

  const update = async (
    request: AdminRequest,
    edit: Edit<ResourceServerRegistration>,
  ): Promise<AdminAnswer> => {
    const { caller, condition } = request;
    const { resourceServer, resetClients } = await resourceServers.update(caller, recordId(request, 'id'), {
      ...edit,
      ...(condition && { condition }),
    });
    return answerOne(resourceServer, resetClients.length > 0 ? { resetClients } : {});
  };

  const replace = async (request: AdminRequest): Promise<AdminAnswer> => {
    const { whole, malformed } = await readRecord(resourceServerSchema, request.body());
    return update(request, { apply: () => whole, malformed });
  };

  const creation = {
    path: collection,
    tag,
    summary: 'Register a resource server',
    description: 'The caller becomes its owner. Only this answer has its secret.',
    scope: 'write',
    body: wholeBody,
    answer: {
      status: 201,
      description: 'It is registered.',
      schema: withSecret,
      headers: ['ETag', 'Location'],
    },
    refusals: [400, 409],
    handle: create,
  } as const;

  const replacement = {
    path: one,
    tag,
    summary: 'Replace a resource server',
    description:
      'A field that is left out gets the value that a new resource server has. Its clients lose the scopes that it loses, at the same time; unless the caller is an administrator, skipConsent and trusted of these clients are reset.',
    scope: 'write',
    isConditional: true,
    body: wholeBody,
    answer: { status: 200, description: 'As it is now.', schema: changed, headers: ['ETag'] },
    refusals: [400, 404, 409, 412],
    handle: replace,
  } as const;

  return [
    {
      id: 'listResourceServers',
      method: 'GET',
      path: collection,
      tag,
      summary: 'List resource servers',
      description: `Those of the caller, for administrators all, by id. ${linkNote} ${totalNote}`,
      scope: 'read',
      query: [searchParameter('name, key, description, contact or owner'), ...pagingParameters()],
      answer: {
        status: 200,
        description: 'A page of them.',
        schema: { type: 'array', items: record },
        headers: ['Link', 'X-Total-Count'],
      },
      refusals: [400],
      handle: (request) =>
        answerPage(
          request,
          { path: collection, filters: ['q'], total: () => totals.resourceServers(request.caller) },
          sealer,
          (page: PageRequest<number>) =>
            resourceServers.list(request.caller, { q: filterOf(request, 'q') }, page),
          resourceServerRecord,
        ),
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
      refusals: [400, 404],
      handle: async (request) =>
        answerOne(await resourceServers.find(request.caller, recordId(request, 'id'))),
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
      body: { schema: patchSchema(resourceServerSchema), isRequired: true },
      answer: { status: 200, description: 'As it is now.', schema: changed, headers: ['ETag'] },
      refusals: [400, 404, 409, 412],
      handle: async (request) => update(request, await readPatch(resourceServerSchema, request.body())),
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
      handle: async (request) => {
        await resourceServers.delete(request.caller, recordId(request, 'id'), request.condition);
        return { status: 204 };
      },
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
        description: 'The record with its new secret. No later answer has it.',
        schema: withSecret,
      },
      refusals: [400, 404],
      handle: async (request) => {
        const id = recordId(request, 'id');
        const overlap = await overlapOf(request);
        const { resourceServer, secret } = await resourceServers.rotateSecret(request.caller, id, overlap);
        return answerOne(resourceServer, { secret });
      },
    },
  ];
}

/** @param issued fields that this answer alone has */
function answerOne(resourceServer: ResourceServer, issued: object = {}) {
  const headers = { etag: entityTag(revisionTag(resourceServer)) };
  return { status: 200 as const, body: { ...resourceServerRecord(resourceServer), ...issued }, headers };
}
