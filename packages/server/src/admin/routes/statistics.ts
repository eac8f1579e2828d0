import {
  type Counted,
  type CountedClient,
  countLimit,
  type PageRequest,
  type Sealer,
  type Statistics,
} from '@watchword/protocol';
import { answerPage, linkNote, pagingParameters } from '../listing.ts';
import { numberOf } from '../query-values.ts';
import type { Route } from '../route.ts';

export interface StatisticsRouteDependencies {
  readonly statistics: Statistics;
  readonly sealer: Sealer;
}

const path = '/admin/resourceServer/stats';
const hourMs = 3_600_000;
const defaultHours = 24;
const maxHours = 744;
// Each page counts its clients again.
const maxClients = 100;
const count = { type: 'integer', minimum: 0 } as const;

export function statisticsRoutes(deps: StatisticsRouteDependencies): Route[] {
  const { statistics, sealer } = deps;
  return [
    {
      id: 'getStatistics',
      method: 'GET',
      path,
      tag: 'Statistics',
      summary: 'Read statistics',
      description: `Tokens and resource owners of each client, and issued tokens by hour and grant type. Administrators also get the number of requests that this node answered with an error. Numbers of clients can be up to 30 seconds old. The list of clients is paged. ${linkNote}`,
      scope: 'read',
      query: [
        {
          name: 'hours',
          description: 'The number of past hours for which issued tokens are returned.',
          schema: { type: 'integer', minimum: 1, maximum: maxHours, default: defaultHours },
        },
        ...pagingParameters(maxClients),
      ],
      answer: {
        status: 200,
        description: 'The statistics.',
        schema: { $ref: '#/components/schemas/Statistics' },
        headers: ['Link'],
      },
      errors: [400],
      async handle(request) {
        const { caller } = request;
        const hours = numberOf(request, 'hours', maxHours, defaultHours);
        let issued: Counted['issued'] = [];
        const { body: clients, ...answer } = await answerPage(
          request,
          { path, filters: ['hours'], maxLimit: maxClients },
          sealer,
          async (page: PageRequest<number>) => {
            const counted = await statistics.count(caller, page, hours);
            issued = counted.issued;
            return counted.clients;
          },
          countedClient,
        );
        const body = {
          clients,
          countLimit,
          issued: issued.map(({ hour, grantType, tokens }) => ({ time: hour * hourMs, grantType, tokens })),
          errors: await statistics.errors(caller),
        };
        return { ...answer, body };
      },
    },
  ];
}

export const statisticsSchema = {
  type: 'object',
  description: 'Statistics of the records of the caller; for administrators, of all records.',
  properties: {
    clients: {
      type: 'array',
      description: 'Clients, ordered by id.',
      items: {
        type: 'object',
        properties: {
          id: { type: 'integer', description: 'Record id.' },
          clientId: { type: 'string' },
          clientName: { type: 'string' },
          resourceserver_id: { type: 'integer' },
          tokens: { ...count, description: 'Access tokens that are valid now.' },
          resourceOwners: { ...count, description: 'Resource owners with a grant that is valid now.' },
        },
        required: ['id', 'clientId', 'clientName', 'resourceserver_id', 'tokens', 'resourceOwners'],
      },
    },
    countLimit: {
      type: 'integer',
      description:
        'The maximum number of tokens, and of grants, that are counted for each client. Only the newest are counted.',
    },
    issued: {
      type: 'array',
      description: 'Issued tokens. An hour without issued tokens is left out.',
      items: {
        type: 'object',
        properties: {
          time: { ...count, description: 'Start of the hour, in epoch milliseconds.' },
          grantType: {
            type: 'string',
            description:
              'The grant_type of the token request; "implicit" for the implicit grant, "administration" for tokens that the administration interface issued.',
          },
          tokens: count,
        },
        required: ['time', 'grantType', 'tokens'],
      },
    },
    errors: {
      type: 'array',
      description: 'Requests that this node answered with an error since its start. Only for administrators.',
      items: {
        type: 'object',
        properties: { error: { type: 'string', description: 'Name of the error.' }, requests: count },
        required: ['error', 'requests'],
      },
    },
  },
  required: ['clients', 'countLimit', 'issued', 'errors'],
};

function countedClient({ client, tokens, resourceOwners }: CountedClient) {
  const { id, clientId, clientName, resourceServerId } = client;
  return { id, clientId, clientName, resourceserver_id: resourceServerId, tokens, resourceOwners };
}
