import type { Client, ListedRequestError, RequestErrorGroup, RequestErrorSummary } from '@watchword/protocol';
import type { JsonSchema } from '../schema/json-schema.ts';
import { timestampSchema } from '../schema/timestamp.ts';

const text = { type: 'string' } as const;

const clientSchema = {
  type: 'object',
  description: 'The client, as it is registered now.',
  properties: {
    id: { type: 'integer', description: 'Record id.' },
    clientId: text,
    clientName: text,
    resourceserver_id: { type: 'integer' },
  },
  required: ['id', 'clientId', 'clientName', 'resourceserver_id'],
} as const;

const error = { ...text, description: 'The error code of the answer.' } as const;
const reason = {
  ...text,
  description: 'What was expected, and what came. It has no secret, token or code.',
} as const;

const properties = {
  id: { ...text, format: 'uuid' },
  time: { ...timestampSchema, description: 'Time of the request, in epoch milliseconds.' },
  client: clientSchema,
  endpoint: { enum: ['token', 'authorization', 'revocation', 'introspection', 'tokenInfo', 'logout'] },
  error,
  reason,
  authenticated: {
    type: 'boolean',
    description:
      'Whether the client proved its identity with its secret. Anybody who knows the clientId can cause the other errors.',
  },
  requestId: { type: ['string', 'null'], description: 'Id of the request in the log of the server.' },
} as const;

export const requestErrorSchema: JsonSchema = {
  type: 'object',
  description: 'A request about a client that ended in an error, and the reason.',
  properties,
  required: Object.keys(properties),
};

const groupProperties = {
  client: clientSchema,
  error,
  reason,
  requests: { type: 'integer', minimum: 1 },
  lastTime: { ...timestampSchema, description: 'Time of the last of them, in epoch milliseconds.' },
} as const;

export const requestErrorSummarySchema: JsonSchema = {
  type: 'object',
  description: 'Requests that ended in an error, by client and reason.',
  properties: {
    requestErrors: {
      type: 'array',
      description: 'The most frequent come first, at most 100.',
      items: { type: 'object', properties: groupProperties, required: Object.keys(groupProperties) },
    },
    dropped: {
      type: 'integer',
      minimum: 0,
      description:
        'Number of errors of authenticated clients that this node did not store since its start, because it was busy. They are missing after a restart, and at other nodes.',
    },
  },
  required: ['requestErrors', 'dropped'],
};

export function requestErrorRecord(found: ListedRequestError) {
  const { id, time, endpoint, error, reason, isAuthenticated, requestId = null } = found;
  const client = ofClient(found.client);
  return { id, time, client, endpoint, error, reason, authenticated: isAuthenticated, requestId };
}

export function requestErrorSummary({ groups, dropped }: RequestErrorSummary) {
  const shown = ({ client, ...group }: RequestErrorGroup) => ({ client: ofClient(client), ...group });
  return { requestErrors: groups.map(shown), dropped };
}

function ofClient({ id, clientId, clientName, resourceServerId }: Client) {
  return { id, clientId, clientName, resourceserver_id: resourceServerId };
}
