import type { Sealer } from '@watchword/protocol';
import { type ClientRouteDependencies, clientAddressOf } from '../clients/routes.ts';
import { answerPage, linkNote, pagingParameters } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import { numberOf } from '../requests/parameters.ts';
import type { AdminRequest, QueryParameter, Route } from '../route.ts';
import type { ClientUse } from './client-use.ts';
import { healthRecord } from './health.ts';
import { countLimit } from './kept-counts.ts';
import type { Counted, CountedClient, Statistics } from './statistics.ts';

const hourMs = 3_600_000;
const count = { type: 'integer', minimum: 0 } as const;

const use = {
  id: { type: 'integer', description: 'Record id.' },
  clientId: { type: 'string' },
  clientName: { type: 'string' },
  resourceserver_id: { type: 'integer' },
  issued: { ...count, description: 'Access tokens issued to it in the hours that were asked for.' },
  lastIssued: {
    type: ['integer', 'null'],
    description:
      'Start of the hour in which an access token was last issued to it, in epoch milliseconds; null if none was in the last month.',
  },
} as const;

const counted = {
  ...use,
  tokens: { ...count, description: 'Access tokens that are valid now.' },
  resourceOwners: { ...count, description: 'Resource owners with a grant that is valid now.' },
} as const;

export const clientStatisticsSchema = {
  type: 'object',
  description: 'The numbers of one client. Of its tokens and grants only the newest 10,000 are counted.',
  properties: counted,
  required: Object.keys(counted),
};

export const statisticsSchema = {
  type: 'object',
  description: 'Statistics of the records of the caller; for administrators, of all records.',
  properties: {
    clients: {
      type: 'array',
      description: 'Clients, ordered by id.',
      items: { $ref: '#/components/schemas/ClientStatistics' },
    },
    busiest: {
      type: 'array',
      description:
        'The clients to which most access tokens were issued in these hours, at most 10, the busiest first. Only for administrators. Clients that were never among the busiest 20 of an hour are left out.',
      items: { type: 'object', properties: use, required: Object.keys(use) },
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
    health: { $ref: '#/components/schemas/Health' },
  },
  required: ['clients', 'busiest', 'countLimit', 'issued', 'errors'],
};

function countedClient({ tokens, resourceOwners, ...used }: CountedClient) {
  return { ...usedClient(used), tokens, resourceOwners };
}

function usedClient({ client, issued, lastHour }: ClientUse) {
  const { id, clientId, clientName, resourceServerId } = client;
  const lastIssued = lastHour === undefined ? null : lastHour * hourMs;
  return { id, clientId, clientName, resourceserver_id: resourceServerId, issued, lastIssued };
}

function issuedInHour({ hour, grantType, tokens }: Counted['issued'][number]) {
  return { time: hour * hourMs, grantType, tokens };
}

interface StatisticsRouteDependencies extends Pick<ClientRouteDependencies, 'clients'> {
  readonly statistics: Statistics;
  readonly sealer: Sealer;
}

const path = '/admin/resourceServer/stats';
const defaultHours = 24;
const maxHours = 744;
// Each page counts its clients again.
const maxClients = 100;

const hoursParameter: QueryParameter = {
  name: 'hours',
  description: 'The number of past hours for which issued tokens are returned.',
  schema: { type: 'integer', minimum: 1, maximum: maxHours, default: defaultHours },
};

const hoursOf = (request: AdminRequest) => numberOf(request, 'hours', maxHours, defaultHours);

export function statisticsRoutes(deps: StatisticsRouteDependencies): Route[] {
  const { statistics, sealer, clients } = deps;
  return [
    {
      id: 'getStatistics',
      method: 'GET',
      path,
      tag: 'Statistics',
      summary: 'Read statistics',
      description: `Tokens and resource owners of each client, and issued tokens by hour and grant type. Administrators also get the number of requests that this node answered with an error and, with the first page, the busiest clients and the health of the server. Numbers of clients can be up to 30 seconds old. The list of clients is paged. ${linkNote}`,
      scope: 'read',
      query: [hoursParameter, ...pagingParameters(maxClients)],
      answer: {
        status: 200,
        description: 'The statistics.',
        schema: { $ref: '#/components/schemas/Statistics' },
        headers: ['Link'],
      },
      errors: [400],
      async handle(request) {
        const { caller } = request;
        const hours = hoursOf(request);
        let numbers: Pick<Counted, 'issued' | 'busiest'> = { issued: [], busiest: [] };
        const { body: clients, ...answer } = await answerPage(
          request,
          { path, filters: ['hours'], maxLimit: maxClients },
          sealer,
          async (page: PageRequest<number>) => {
            const counted = await statistics.count(caller, page, hours);
            numbers = counted;
            return counted.clients;
          },
          countedClient,
        );
        const isFirst = !request.query.get('cursor');
        const health = isFirst ? await statistics.health(caller) : undefined;
        const body = {
          clients,
          busiest: numbers.busiest.map(usedClient),
          countLimit,
          issued: numbers.issued.map(issuedInHour),
          errors: await statistics.errors(caller),
          ...(health && { health: healthRecord(health) }),
        };
        return { ...answer, body };
      },
    },
    {
      id: 'getClientStatistics',
      method: 'GET',
      path: '/admin/resourceServer/{resourceServerId}/client/{id}/stats',
      tag: 'Statistics',
      summary: 'Read the statistics of a client',
      description: 'The same numbers as in the list. They can be up to 2 seconds old.',
      scope: 'read',
      query: [hoursParameter],
      answer: {
        status: 200,
        description: 'The statistics.',
        schema: { $ref: '#/components/schemas/ClientStatistics' },
      },
      errors: [400, 404],
      async handle(request) {
        const hours = hoursOf(request);
        const client = await clients.find(request.caller, clientAddressOf(request));
        return { status: 200, body: countedClient(await statistics.countOne(client, hours)) };
      },
    },
  ];
}
