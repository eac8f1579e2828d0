import { type ResourceServer, replacementOf, resourceServerFields, type Sealer } from '@watchword/protocol';
import { type Edit, revisionTag } from '../changes/edit.ts';
import { answerPage } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import type { Totals } from '../lists/totals.ts';
import { overlapOf } from '../registered/overlap.ts';
import { listing, type RegisteredRecord, recordRoutes } from '../registered/record-routes.ts';
import { entityTag } from '../requests/entity-tags.ts';
import { filterOf, invalidParameter, recordId } from '../requests/parameters.ts';
import type { AdminAnswer, AdminHandler, AdminRequest, Route } from '../route.ts';
import { readPatch, readRecord } from '../schema/read-record.ts';
import type { ResourceServerAdministration } from './resource-server-administration.ts';
import { answeredResourceServer, describedResourceServer } from './resource-server-record.ts';
import type { ResourceServerRegistration } from './resource-server-rules.ts';
import {
  newResourceServerSchema,
  scopesParameter,
  storedFields,
  submittedResourceServerSchema,
} from './schema.ts';

export interface ResourceServerRouteDependencies {
  readonly resourceServers: ResourceServerAdministration;
  readonly sealer: Sealer;
  readonly totals: Totals;
}

/** The list of resource servers. */
const resourceServersPath = '/admin/resourceServer';

/** Answers the routes of resource servers. */
function resourceServerHandlers({ resourceServers, sealer, totals }: ResourceServerRouteDependencies) {
  const update = async (
    request: AdminRequest,
    edit: Edit<ResourceServerRegistration>,
  ): Promise<AdminAnswer> => {
    const { caller, condition } = request;
    const show = shownBy(request);
    const { resourceServer, resetClients } = await resourceServers.update(caller, recordId(request, 'id'), {
      ...edit,
      ...(condition && { condition }),
    });
    return answerOne(show, resourceServer, resetClients.length > 0 ? { resetClients } : {});
  };

  return {
    list: (request) =>
      answerPage(
        request,
        {
          path: resourceServersPath,
          filters: ['q'],
          kept: ['scopes'],
          total: () => totals.resourceServers(request.caller),
        },
        sealer,
        (page: PageRequest<number>) =>
          resourceServers.list(request.caller, { q: filterOf(request, 'q') }, page),
        shownBy(request),
      ),

    create: async (request) => {
      const { caller, body, prefix } = request;
      const show = shownBy(request);
      const { given, malformed } = await readRecord(newResourceServerSchema, body());
      const { key, ...submitted } = given;
      const fields = storedFields(submitted, []);
      const { resourceServer, secret } = await resourceServers.create(
        caller,
        { fields, malformed },
        { chosen: key || undefined },
      );
      const location = `${prefix}${resourceServersPath}/${resourceServer.id}`;
      const { body: created, headers } = answerOne(show, resourceServer, { secret });
      return { status: 201, body: created, headers: { location, ...headers } };
    },

    find: async (request) =>
      answerOne(shownBy(request), await resourceServers.find(request.caller, recordId(request, 'id'))),

    replace: async (request) => {
      const { given, malformed } = await readRecord(submittedResourceServerSchema, request.body());
      const apply = ({ scopeDescriptions }: ResourceServerRegistration) =>
        replacementOf(resourceServerFields, storedFields(given, scopeDescriptions));
      return update(request, { apply, malformed });
    },

    change: async (request) => {
      const { given, malformed } = await readPatch(submittedResourceServerSchema, request.body());
      const apply = ({ scopeDescriptions }: ResourceServerRegistration) =>
        storedFields(given, scopeDescriptions);
      return update(request, { apply, malformed });
    },

    delete: async (request) => {
      await resourceServers.delete(request.caller, recordId(request, 'id'), request.condition);
      return { status: 204 };
    },

    rotateSecret: async (request) => {
      const id = recordId(request, 'id');
      const show = shownBy(request);
      const overlap = await overlapOf(request);
      const { resourceServer, secret } = await resourceServers.rotateSecret(request.caller, id, overlap);
      return answerOne(show, resourceServer, { secret });
    },

    revokeTokens: async (request) => {
      await resourceServers.revokeTokens(request.caller, recordId(request, 'id'));
      return { status: 204 };
    },
  } satisfies Readonly<Record<string, AdminHandler>>;
}

type Show = (resourceServer: ResourceServer) => object;

/** How the request wants resource servers shown; to be asked before anything is changed. @throws OAuthError `invalid_request` */
function shownBy({ query }: AdminRequest): Show {
  const scopes = query.get('scopes');
  if (!scopes) return answeredResourceServer;
  if (scopes === 'described') return describedResourceServer;
  throw invalidParameter('The parameter scopes has another value than described.');
}

/** @param issued fields that this answer alone has */
function answerOne(show: Show, resourceServer: ResourceServer, issued: object = {}) {
  const headers = { etag: entityTag(revisionTag(resourceServer)) };
  return { status: 200 as const, body: { ...show(resourceServer), ...issued }, headers };
}

const resourceServer: Omit<RegisteredRecord, 'handlers'> = {
  name: 'ResourceServer',
  noun: 'a resource server',
  tag: 'Resource servers',
  schema: submittedResourceServerSchema,
  newSchema: newResourceServerSchema,
  otherForm: { name: 'DescribedResourceServer', parameter: scopesParameter },
  collection: resourceServersPath,
  creation: {
    description:
      'The caller becomes the record owner. Only this answer contains the secret of the resource server.',
    errors: [400, 409],
  },
  replacement: {
    description:
      'A field that is left out gets the default of a new resource server, but a scope that is named alone keeps its description. A scope that the resource server loses is also removed from its clients. Unless the caller is an administrator, skipConsent, trusted and keepsUserData of the clients with a scope that was removed or described in another way are set to false.',
    errors: [400, 404, 409, 412],
  },
  change: {
    description: 'A merge patch (RFC 7396): a field that is left out does not change.',
    errors: [400, 404, 409, 412],
  },
  deletion: {
    description:
      'The clients of the resource server are also deleted, and all their tokens are revoked. The resource server of the administration interface cannot be deleted: 409.',
    errors: [400, 404, 409, 412],
  },
  rotation: { errors: [400, 404] },
};

export function resourceServerRoutes(deps: ResourceServerRouteDependencies): Route[] {
  const handlers = resourceServerHandlers(deps);
  const order = 'Administrators get all resource servers, other callers their own, ordered by id.';
  return [
    {
      id: 'listResourceServers',
      ...listing(resourceServer, order, 'name, key, description, contact or owner'),
      path: resourceServersPath,
      summary: 'List resource servers',
      errors: [400],
      handle: handlers.list,
    },
    ...recordRoutes({ ...resourceServer, handlers }),
    {
      id: 'revokeResourceServerTokens',
      needsFreshLogin: true,
      method: 'POST',
      path: `${resourceServersPath}/{id}/revocation`,
      tag: resourceServer.tag,
      summary: 'Revoke all tokens of all clients of a resource server',
      description:
        'Revokes every code, access token and refresh token that was issued to its clients until now. If the request fails, those of a part of the clients can be revoked.',
      scope: 'write',
      answer: { status: 204, description: 'All of them are revoked.' },
      errors: [400, 404],
      handle: handlers.revokeTokens,
    },
  ];
}
