import { describedScopes, type ResourceServer, type Sealer } from '@watchword/protocol';
import type { ClientOfOthers } from '../clients/clients-of-others.ts';
import {
  answerPage,
  linkNote,
  pageOf,
  pagingParameters,
  searchParameter,
  totalNote,
} from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import { filterOf, recordId } from '../requests/parameters.ts';
import type { Route } from '../route.ts';
import { type JsonSchema, objectSchema } from '../schema/json-schema.ts';
import type { UseByOthers } from './use-by-others.ts';

export interface UseByOthersRouteDependencies {
  readonly useByOthers: UseByOthers;
  readonly sealer: Sealer;
}

const tag = 'Resource servers';
const text = (description: string): JsonSchema => ({ type: 'string', description });
const recordIdOf = (what: string): JsonSchema => ({
  type: 'integer',
  minimum: 1,
  description: `Record id of ${what}.`,
});
const owners = {
  owner: text('Principal name of its record owner.'),
  ownerAuthority: text('Identity provider of the record owner.'),
};

export const openResourceServerSchema = objectSchema(
  'A resource server that is open to clients of other owners.',
  {
    id: recordIdOf('the resource server'),
    key: text('Its key.'),
    name: text('Its name.'),
    description: text('What it is.'),
    resources: {
      type: 'array',
      items: { type: 'string' },
      description: 'The URIs by which requests name it (RFC 8707).',
    },
    openToClients: { enum: ['administrators', 'everyone'], description: 'To which clients it is open.' },
    openScopes: {
      type: 'array',
      items: { $ref: '#/components/schemas/DescribedScope' },
      description: 'The scopes that these clients can get.',
    },
    ...owners,
  },
);

function openResourceServer(server: ResourceServer) {
  const { id, key, name, description, resources, openToClients, openScopes, scopeDescriptions } = server;
  const described = describedScopes(openScopes, scopeDescriptions);
  const { owner, ownerAuthority } = server;
  const shown = { id, key, name, description, resources, openToClients, openScopes: described };
  return { ...shown, owner, ownerAuthority };
}

export const clientOfOthersSchema = objectSchema(
  'A client of another resource server that can use this one: what its owner may see of it.',
  {
    id: recordIdOf('the client'),
    clientId: text('Its client_id.'),
    clientName: text('Its name.'),
    scopes: { type: 'array', items: { type: 'string' }, description: 'The scopes that it can get here.' },
    trusted: { type: 'boolean', description: 'Whether an administrator created or confirmed it.' },
    ...owners,
  },
);

function clientOfOthers({ client, home, entry }: ClientOfOthers) {
  const { id, clientId, clientName, trusted } = client;
  const { owner, ownerAuthority } = home;
  return { id, clientId, clientName, scopes: entry.scopes, trusted, owner, ownerAuthority };
}

const openPath = '/admin/openResourceServer';
const clientsPath = '/admin/resourceServer/{resourceServerId}/otherClient';

export function useByOthersRoutes({ useByOthers, sealer }: UseByOthersRouteDependencies): Route[] {
  return [
    {
      id: 'listOpenResourceServers',
      method: 'GET',
      path: openPath,
      tag,
      summary: 'List the resource servers of others that are open to clients of the caller',
      description: `Administrators get all that are open to clients of others. Ordered by id. ${linkNote}`,
      scope: 'read',
      query: [searchParameter('name, key, description, contact or owner'), ...pagingParameters()],
      answer: pageOf({ $ref: '#/components/schemas/OpenResourceServer' }),
      errors: [400],
      handle: (request) =>
        answerPage(
          request,
          { path: openPath, filters: ['q'] },
          sealer,
          (page: PageRequest<number>) =>
            useByOthers.listOpen(request.caller, { q: filterOf(request, 'q') }, page),
          openResourceServer,
        ),
    },
    {
      id: 'listOtherClients',
      method: 'GET',
      path: clientsPath,
      tag: 'Other clients',
      summary: 'List the clients of other resource servers that can use a resource server',
      description: `Ordered by id. ${linkNote} ${totalNote}`,
      scope: 'read',
      query: pagingParameters(),
      answer: pageOf({ $ref: '#/components/schemas/OtherClient' }, true),
      errors: [400, 404],
      handle: (request) => {
        const id = recordId(request, 'resourceServerId');
        return answerPage(
          request,
          {
            path: `/admin/resourceServer/${id}/otherClient`,
            filters: [],
            total: () => useByOthers.countClients(id),
          },
          sealer,
          (page: PageRequest<number>) => useByOthers.listClients(request.caller, id, page),
          clientOfOthers,
        );
      },
    },
    {
      id: 'removeOtherClient',
      needsFreshLogin: true,
      method: 'DELETE',
      path: `${clientsPath}/{id}`,
      tag: 'Other clients',
      summary: 'Take a resource server away from a client of another one',
      description:
        'The client gets no token for the resource server any more. JWTs are valid until they expire.',
      scope: 'write',
      answer: { status: 204, description: 'It is taken away.' },
      errors: [400, 404],
      handle: async (request) => {
        await useByOthers.removeClient(
          request.caller,
          recordId(request, 'resourceServerId'),
          recordId(request, 'id'),
        );
        return { status: 204 };
      },
    },
  ];
}
