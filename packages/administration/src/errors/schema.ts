import type { Client, ErrorCause } from '@watchword/protocol';
import type { JsonSchema } from '../schema/json-schema.ts';
import { timestampSchema } from '../schema/timestamp.ts';
import type {
  ExplainedError,
  ListedRequestError,
  RequestErrorGroup,
  RequestErrorSummary,
} from './request-errors.ts';

const text = { type: 'string' } as const;
const textOrNull = { type: ['string', 'null'] } as const;

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

const authenticated = {
  type: 'boolean',
  description:
    'Whether the client proved its identity with its secret. Anybody who knows the clientId can cause the other errors.',
} as const;
const cause = {
  error,
  reason,
  rule: { ...textOrNull, description: 'Name of the rule that refused the request.' },
  expected: { ...textOrNull, description: 'What the rule expected of this request, in a few words.' },
  came: {
    ...textOrNull,
    description:
      'What came instead, in a few words. Tokens, codes and generated secrets appear by a fingerprint, passwords not at all.',
  },
} as const;

const properties = {
  id: { ...text, format: 'uuid' },
  time: { ...timestampSchema, description: 'Time of the request, in epoch milliseconds.' },
  client: clientSchema,
  endpoint: { enum: ['token', 'authorization', 'revocation', 'introspection', 'tokenInfo', 'logout'] },
  ...cause,
  authenticated,
  requestId: { ...textOrNull, description: 'Id of the request in its answer and in the log of the server.' },
} as const;

export const requestErrorSchema: JsonSchema = {
  type: 'object',
  description: 'A request about a client that ended in an error, and the reason.',
  properties,
  required: Object.keys(properties),
};

const explanationProperties = {
  requestId: { ...text, description: 'Id of the request in its answer and in the log of the server.' },
  time: properties.time,
  client: {
    description: 'The client, as it is registered now; null if the request names none.',
    anyOf: [clientSchema, { type: 'null' }],
  },
  endpoint: {
    ...text,
    description: 'Name of the endpoint as in RequestError, or its address if the request names no client.',
  },
  authenticated,
  ...cause,
  requirement: {
    ...textOrNull,
    description: 'The rule in words; null if this server does not know the rule.',
  },
  section: { ...textOrNull, description: 'The specification that has the rule, with the section.' },
  sectionUrl: { ...textOrNull, description: 'Its address on the web.' },
  command: {
    ...textOrNull,
    description: 'The command that mends the cause, with words in capitals for what must be decided.',
  },
  advice: { ...textOrNull, description: 'What mends the cause, in words.' },
} as const;

export const requestErrorExplanationSchema: JsonSchema = {
  type: 'object',
  description: 'Why one request was refused, and what mends it.',
  properties: explanationProperties,
  required: Object.keys(explanationProperties),
};

const groupProperties = {
  client: clientSchema,
  error,
  reason,
  requests: { type: 'integer', minimum: 1 },
  lastTime: { ...timestampSchema, description: 'Time of the last of them, in epoch milliseconds.' },
  lastRequestId: { ...textOrNull, description: 'Id of the last of them.' },
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
  const { id, time, endpoint, isAuthenticated, requestId = null } = found;
  const client = ofClient(found.client);
  return { id, time, client, endpoint, ...causeOf(found), authenticated: isAuthenticated, requestId };
}

export function requestErrorExplanation(found: ExplainedError) {
  const { requestId, time, client, endpoint, isAuthenticated, explanation } = found;
  return {
    requestId,
    time,
    client: client === undefined ? null : ofClient(client),
    endpoint,
    authenticated: isAuthenticated,
    ...causeOf(found),
    requirement: explanation?.requirement ?? null,
    section: explanation?.section ?? null,
    sectionUrl: explanation?.sectionUrl ?? null,
    command: explanation?.command ?? null,
    advice: explanation?.advice ?? null,
  };
}

function causeOf({ error, reason, rule, expected, came }: ErrorCause) {
  return { error, reason, rule: rule ?? null, expected: expected ?? null, came: came ?? null };
}

export function requestErrorSummary({ groups, dropped }: RequestErrorSummary) {
  const shown = ({ client, lastRequestId, ...group }: RequestErrorGroup) => ({
    client: ofClient(client),
    ...group,
    lastRequestId: lastRequestId ?? null,
  });
  return { requestErrors: groups.map(shown), dropped };
}

function ofClient({ id, clientId, clientName, resourceServerId }: Client) {
  return { id, clientId, clientName, resourceserver_id: resourceServerId };
}
