import { listing, type RegisteredRecord, recordRoutes } from '../registered/record-routes.ts';
import type { Route } from '../route.ts';
import {
  type ResourceServerRouteDependencies,
  resourceServerHandlers,
  resourceServersPath,
} from './handlers.ts';
import { newResourceServerSchema, scopesParameter, submittedResourceServerSchema } from './schema.ts';

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
