import type { OperationRight } from './callers/operation-rights.ts';
import { operationRight } from './callers/permitted-caller.ts';
import { schemas } from './described-records.ts';
import type { AnswerDescription, ErrorStatus, QueryParameter, Route } from './route.ts';
import type { JsonSchema } from './schema/json-schema.ts';

export const openApiPath = '/admin/openapi.json';

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = Readonly<Record<string, unknown>> & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
};

/**
 * Describes the administration interface, from the routes and schemas that it runs on.
 *
 * @param baseUrl under which callers reach the server
 */
export function openApiDocument(routes: readonly Route[], baseUrl: string, version: string): OpenApiDocument {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const item = paths[route.path] ?? {};
    item[route.method.toLowerCase()] = describe(route);
    paths[route.path] = item;
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Watchword administration', version, description: introduction },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An access token of a client of the resource server authorization-server-admin, with the scope read or write.',
        },
      },
      schemas: schemas(),
      headers,
      responses: Object.fromEntries(
        [...Object.entries(errors), ...Object.entries(errorsOfEveryRoute)].map(
          ([status, { name, description }]) => [
            name,
            {
              description,
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
              ...(errorHeaders[status] && {
                headers: referredHeaders(errorHeaders[status]),
              }),
            },
          ],
        ),
      ),
    },
  };
}

const introduction = `Resource servers, clients and access tokens of this authorization server, and the audit log of their changes.

A principal whose adminPrincipal is true can see and change all records. Any other caller can see and change its own records: the resource servers that it created, with their clients, and the access tokens that it granted. A client that acts for itself owns the records that it created, and administers what its rights name. For a record of another owner the answer is 404, as for a record that does not exist.

For invalid input the answer is 400 with all violations, and nothing is written. With ETag and If-Match two users cannot overwrite the changes of each other: the second change gets 412.`;

const headers = {
  ETag: { description: 'Identifies the state of the record, for If-Match.', schema: { type: 'string' } },
  Location: { description: 'Path of the new record.', schema: { type: 'string' } },
  Link: {
    description: 'With rel="next": the address of the next page. Absent on the last page.',
    schema: { type: 'string' },
  },
  'X-Total-Count': {
    description: 'The length of the whole list. Only on the first page of a list without filters.',
    schema: { type: 'integer' },
  },
  'Retry-After': { description: 'Seconds after which to try again.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'A Bearer challenge (RFC 6750).', schema: { type: 'string' } },
};

const errors: Readonly<Record<ErrorStatus, { readonly name: string; readonly description: string }>> = {
  400: { name: 'InvalidRequest', description: 'The input violates the rules that are listed in violations.' },
  404: { name: 'NotFound', description: 'The record does not exist, or does not belong to the caller.' },
  409: {
    name: 'Conflict',
    description:
      'The record conflicts with another record, the record cannot be deleted, or its owner has the maximum number of records.',
  },
  412: { name: 'PreconditionFailed', description: 'The record is not in the state that If-Match names.' },
};

const errorsOfEveryRoute = {
  401: {
    name: 'InvalidToken',
    description: 'There is no access token, it is not valid, or the login behind it is too old for this.',
  },
  403: {
    name: 'InsufficientScope',
    description: 'The access token lacks the scope, or the route is for administrators only.',
  },
  429: {
    name: 'TooManyRequests',
    description:
      'Too many requests with invalid tokens came from this address, or one owner made too many changes in a minute. Retry-After has the seconds to wait.',
  },
  503: { name: 'Unavailable', description: 'The database is not available; nothing was changed.' },
} as const;

const freshLogin =
  'People must have logged in within the seconds of the setting administration.freshLogin; otherwise 401 insufficient_user_authentication, with max_age (RFC 9470). A client that acts for itself need not.';

/** What a client that acts for itself needs. */
function neededRight(needed: OperationRight): string {
  if (needed === 'everyone') return '';
  if (needed === 'people') return 'Never for a client that acts for itself.';
  const forOthers = needed.own === true ? ', for records of others' : '';
  return `A client that acts for itself needs the right ${needed.right}${forOthers}.`;
}

const errorHeaders: Readonly<Record<string, readonly (keyof typeof headers)[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function describe(route: Route): object {
  const { id, tag, summary, description, scope, query = [], body, answer } = route;
  const parameters = [
    ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => pathParameter(name ?? '', route)),
    ...query.map(queryParameter),
    ...(route.isConditional ? [ifMatchParameter] : []),
  ];
  const told = [description, neededRight(operationRight(id)), route.needsFreshLogin && freshLogin]
    .filter(Boolean)
    .join(' ');
  const described = [...Object.entries(errorsOfEveryRoute), ...(route.errors ?? []).map(namedError)];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(told !== '' && { description: told }),
    security: [{ bearer: [scope] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: body.isRequired, content: { 'application/json': { schema: body.schema } } },
    }),
    responses: {
      [answer.status]: describeAnswer(answer),
      ...Object.fromEntries(
        described.map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]),
      ),
    },
  };
}

function namedError(status: ErrorStatus) {
  return [String(status), errors[status]] as const;
}

function describeAnswer({ description, schema, headers: names = [] }: AnswerDescription): object {
  return {
    description,
    ...(schema && { content: { 'application/json': { schema } } }),
    ...(names.length > 0 && { headers: referredHeaders(names) }),
  };
}

function referredHeaders(names: readonly (keyof typeof headers)[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function pathParameter(name: string, { path }: Route): object {
  return { name, in: 'path', required: true, schema: idSchemaOf(path) };
}

function idSchemaOf(path: string): JsonSchema {
  const [, collection = ''] = /^\/admin\/(\w+)/.exec(path) ?? [];
  if (collection === 'resourceServer') return { type: 'integer', minimum: 1 };
  const isText = ['account', 'authenticator', 'requestError', 'right'].includes(collection);
  return { type: 'string', ...(!isText && { format: 'uuid' }) };
}

function queryParameter({ name, description, schema, isRequired }: QueryParameter): object {
  return { name, in: 'query', ...(isRequired && { required: true }), description, schema };
}

const ifMatchParameter = {
  name: 'If-Match',
  in: 'header',
  description: 'Only if the record is still in the state that this ETag names.',
  schema: { type: 'string' },
};
