import type { Sealer } from '@watchword/protocol';
import { type ClientRouteDependencies, clientAddressOf } from '../clients/handlers.ts';
import { answerPage, linkNote, pagingParameters } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import { numberOf } from '../requests/query-values.ts';
import type { AdminRequest, QueryParameter, Route } from '../route.ts';
import { healthRecord } from './health-schema.ts';
import { countLimit } from './kept-counts.ts';
import { countedClient, issuedInHour, usedClient } from './schema.ts';
import type { Counted, Statistics } from './statistics.ts';

export interface StatisticsRouteDependencies extends Pick<ClientRouteDependencies, 'clients'> {
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
