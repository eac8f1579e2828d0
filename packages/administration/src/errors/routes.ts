import type { Client, ErrorCause, Sealer } from '@watchword/protocol';
import { answerPage, linkNote, pageOf, pagingParameters } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import { filterOf, filterParameter, numberOf } from '../requests/parameters.ts';
import type { Route } from '../route.ts';
import { type JsonSchema, objectSchema, timestampSchema } from '../schema/json-schema.ts';
import {
  type ExplainedError,
  type ListedRequestError,
  type RequestErrorAdministration,
  type RequestErrorGroup,
  type RequestErrorSummary,
  requestErrorHours,
  summaryLimit,
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
  endpoint: {
    enum: [
      'token',
      'authorization',
      'pushedAuthorization',
      'revocation',
      'introspection',
      'tokenInfo',
      'logout',
    ],
  },
  ...cause,
  authenticated,
  requestId: { ...textOrNull, description: 'Id of the request in its answer and in the log of the server.' },
} as const;

export const requestErrorSchema: JsonSchema = objectSchema(
  'A request about a client that ended in an error, and the reason.',
  properties,
);

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

export const requestErrorExplanationSchema: JsonSchema = objectSchema(
  'Why one request was refused, and what mends it.',
  explanationProperties,
);

const groupProperties = {
  client: clientSchema,
  error,
  reason,
  requests: { type: 'integer', minimum: 1 },
  lastTime: { ...timestampSchema, description: 'Time of the last of them, in epoch milliseconds.' },
  lastRequestId: { ...textOrNull, description: 'Id of the last of them.' },
} as const;

export const requestErrorSummarySchema: JsonSchema = objectSchema(
  'Requests that ended in an error, by client and reason.',
  {
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
);

function requestErrorRecord(found: ListedRequestError) {
  const { id, time, endpoint, isAuthenticated, requestId = null } = found;
  const client = ofClient(found.client);
  return { id, time, client, endpoint, ...causeOf(found), authenticated: isAuthenticated, requestId };
}

function requestErrorExplanation(found: ExplainedError) {
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

function requestErrorSummary({ groups, dropped }: RequestErrorSummary) {
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

const tag = 'Request errors';
const path = '/admin/requestError';

const clientParameter = filterParameter('clientId', 'Only requests about this client.');

const scopeNote =
  'Administrators get those of all clients, other callers those of the clients of their resource servers. This node has at most 1,000 of each client and 10,000 in all in memory. Those of authenticated clients are also stored: they outlast a restart, and other nodes have them too.';

export function requestErrorRoutes({
  requestErrorAdministration,
  sealer,
}: {
  readonly requestErrorAdministration: RequestErrorAdministration;
  readonly sealer: Sealer;
}): Route[] {
  return [
    {
      id: 'listRequestErrors',
      method: 'GET',
      path,
      tag,
      summary: 'List the requests of the last day that ended in an error',
      description: `Each has the reason, for the developer of the client. ${scopeNote} The newest come first. ${linkNote}`,
      scope: 'read',
      query: [
        clientParameter,
        filterParameter('error', 'Only requests that were answered with this error code.'),
        ...pagingParameters(),
      ],
      answer: pageOf({ $ref: '#/components/schemas/RequestError' }),
      errors: [400],
      handle: (request) => {
        const filter = { clientId: filterOf(request, 'clientId'), error: filterOf(request, 'error') };
        return answerPage(
          request,
          { path, filters: ['clientId', 'error'] },
          sealer,
          (page: PageRequest<string>) => requestErrorAdministration.list(request.caller, filter, page),
          requestErrorRecord,
        );
      },
    },
    {
      id: 'summarizeRequestErrors',
      method: 'GET',
      path: `${path}/summary`,
      tag,
      summary: 'Count requests that ended in an error, by client and reason',
      description: `The newest ${summaryLimit} errors are counted. ${scopeNote}`,
      scope: 'read',
      query: [
        clientParameter,
        {
          name: 'hours',
          description: 'The number of past hours that are counted.',
          schema: { type: 'integer', minimum: 1, maximum: requestErrorHours, default: requestErrorHours },
        },
      ],
      answer: {
        status: 200,
        description: 'The numbers.',
        schema: { $ref: '#/components/schemas/RequestErrorSummary' },
      },
      errors: [400],
      handle: async (request) => {
        const hours = numberOf(request, 'hours', requestErrorHours, requestErrorHours);
        const filter = { clientId: filterOf(request, 'clientId') };
        const summary = await requestErrorAdministration.summary(request.caller, filter, hours);
        return { status: 200, body: requestErrorSummary(summary) };
      },
    },
    {
      id: 'explainRequestError',
      method: 'GET',
      path: `${path}/{requestId}`,
      tag,
      summary: 'Explain why one request was refused, and what mends it',
      description:
        'Every answer has the id in the header x-request-id, and an error page shows it. Administrators can ask about every error of the last day, other callers about those of the clients of their resource servers. Errors of requests that name no client are only in the memory of the node that answered, the last 100 of each address. A node that does not have an error asks all others, within a second.',
      scope: 'read',
      answer: {
        status: 200,
        description: 'The explanation.',
        schema: { $ref: '#/components/schemas/RequestErrorExplanation' },
      },
      errors: [404],
      handle: async ({ caller, path: { requestId = '' } }) => ({
        status: 200,
        body: requestErrorExplanation(await requestErrorAdministration.explain(caller, requestId)),
      }),
    },
  ];
}
