import {
  type Edit,
  type PageRequest,
  type ResourceServer,
  type ResourceServerAdministration,
  type ResourceServerRegistration,
  replacementOf,
  resourceServerFields,
  resourceServerRecord,
  revisionTag,
  type Sealer,
} from '@watchword/protocol';
import { entityTag } from '../entity-tags.ts';
import { answerPage } from '../listing.ts';
import { recordId } from '../path-ids.ts';
import { filterOf } from '../query-values.ts';
import { resourceServerSchema } from '../records/resource-server.ts';
import type { AdminAnswer, AdminHandler, AdminRequest } from '../route.ts';
import { readPatch, readRecord } from '../schema/read-record.ts';
import type { Totals } from '../totals.ts';
import { overlapOf } from './overlap.ts';

export interface ResourceServerRouteDependencies {
  readonly resourceServers: ResourceServerAdministration;
  readonly sealer: Sealer;
  readonly totals: Totals;
}

/** The list of resource servers. */
export const resourceServersPath = '/admin/resourceServer';

/** Answers the routes of resource servers. */
export function resourceServerHandlers({ resourceServers, sealer, totals }: ResourceServerRouteDependencies) {
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

  return {
    list: (request) =>
      answerPage(
        request,
        { path: resourceServersPath, filters: ['q'], total: () => totals.resourceServers(request.caller) },
        sealer,
        (page: PageRequest<number>) =>
          resourceServers.list(request.caller, { q: filterOf(request, 'q') }, page),
        resourceServerRecord,
      ),

    create: async ({ caller, body, prefix }) => {
      const { given: fields, malformed } = await readRecord(resourceServerSchema, body());
      const { resourceServer, secret } = await resourceServers.create(caller, { fields, malformed });
      const location = `${prefix}${resourceServersPath}/${resourceServer.id}`;
      const { body: created, headers } = answerOne(resourceServer, { secret });
      return { status: 201, body: created, headers: { location, ...headers } };
    },

    find: async (request) => answerOne(await resourceServers.find(request.caller, recordId(request, 'id'))),

    replace: async (request) => {
      const { given, malformed } = await readRecord(resourceServerSchema, request.body());
      return update(request, { apply: () => replacementOf(resourceServerFields, given), malformed });
    },

    change: async (request) => update(request, await readPatch(resourceServerSchema, request.body())),

    delete: async (request) => {
      await resourceServers.delete(request.caller, recordId(request, 'id'), request.condition);
      return { status: 204 };
    },

    rotateSecret: async (request) => {
      const id = recordId(request, 'id');
      const overlap = await overlapOf(request);
      const { resourceServer, secret } = await resourceServers.rotateSecret(request.caller, id, overlap);
      return answerOne(resourceServer, { secret });
    },
  } satisfies Readonly<Record<string, AdminHandler>>;
}

/** @param issued fields that this answer alone has */
function answerOne(resourceServer: ResourceServer, issued: object = {}) {
  const headers = { etag: entityTag(revisionTag(resourceServer)) };
  return { status: 200 as const, body: { ...resourceServerRecord(resourceServer), ...issued }, headers };
}
