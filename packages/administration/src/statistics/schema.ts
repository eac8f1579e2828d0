import type { ClientUse } from './client-use.ts';
import type { Counted, CountedClient } from './statistics.ts';

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

export function countedClient({ tokens, resourceOwners, ...used }: CountedClient) {
  return { ...usedClient(used), tokens, resourceOwners };
}

export function usedClient({ client, issued, lastHour }: ClientUse) {
  const { id, clientId, clientName, resourceServerId } = client;
  const lastIssued = lastHour === undefined ? null : lastHour * hourMs;
  return { id, clientId, clientName, resourceserver_id: resourceServerId, issued, lastIssued };
}

export function issuedInHour({ hour, grantType, tokens }: Counted['issued'][number]) {
  return { time: hour * hourMs, grantType, tokens };
}
