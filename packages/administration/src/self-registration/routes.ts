import type { InitialToken, Sealer } from '@watchword/protocol';
import { answerPage, linkNote, pageOf, pagingParameters } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import type { Route } from '../route.ts';
import { timestampSchema } from '../schema/json-schema.ts';
import { readRecord } from '../schema/read-record.ts';
import { answerSchema, inputSchema, issued, optional, readOnly } from '../schema/record-schema.ts';
import type { InitialTokenAdministration } from './initial-tokens.ts';

export interface InitialTokenRouteDependencies {
  readonly initialTokenAdministration: InitialTokenAdministration;
  readonly sealer: Sealer;
}

const chosen = {
  note: optional({ type: 'text' }, 'Who gets it, for other administrators.'),
  maxClients: optional(
    { type: 'wholeNumber', minimum: 0, maximum: 1_000_000 },
    'How many clients can be registered with it. Default, and 0: any number.',
  ),
} as const;

const initialTokenSchema = {
  description:
    'An initial access token (RFC 7591 section 3): whoever has it can register clients at the server, where the setting clients.registration is tokens.',
  fields: {
    id: readOnly({ type: 'string' }, 'Its id.'),
    ...chosen,
    clients: readOnly({ type: 'integer' }, 'How many clients were registered with it.'),
    creationDate: readOnly(timestampSchema, 'When it was made, in epoch milliseconds.'),
    expires: readOnly(timestampSchema, 'When it ends, in epoch milliseconds; 0 = never.'),
    token: issued({ type: 'string' }, 'The token itself. Only the answer to its making contains it.'),
  },
};

/** By their names in the document. */
export const initialTokenSchemas = {
  InitialToken: answerSchema(initialTokenSchema),
  InitialTokenWithValue: answerSchema(initialTokenSchema, { token: 'always' }),
};

const newInitialTokenSchema = {
  description: 'A new initial access token.',
  fields: {
    ...chosen,
    lifetime: optional(
      { type: 'wholeNumber', minimum: 0, maximum: 10 * 366 * 86_400 },
      'Seconds for which it is valid. Default, and 0: until an administrator ends it.',
    ),
  },
} as const;

const path = '/admin/initialToken';
const tag = 'Initial tokens';
const onlyAdministrators = 'Only for administrators.';

export function initialTokenRoutes({
  initialTokenAdministration: tokens,
  sealer,
}: InitialTokenRouteDependencies): Route[] {
  return [
    {
      id: 'listInitialTokens',
      method: 'GET',
      path,
      tag,
      summary: 'List initial access tokens',
      description: `In the order in which they were made, also those that have expired. ${onlyAdministrators} ${linkNote}`,
      scope: 'read',
      query: pagingParameters(),
      answer: pageOf({ $ref: '#/components/schemas/InitialToken' }),
      errors: [400],
      handle: (request) =>
        answerPage(
          request,
          { path, filters: [] },
          sealer,
          (page: PageRequest<string>) => tokens.list(request.caller, page),
          record,
        ),
    },
    {
      id: 'createInitialToken',
      method: 'POST',
      path,
      tag,
      summary: 'Make an initial access token',
      description: `Whoever has it can register clients (RFC 7591). ${onlyAdministrators}`,
      scope: 'write',
      body: { schema: inputSchema(newInitialTokenSchema), isRequired: true },
      answer: {
        status: 201,
        description: 'The token. No later answer contains it.',
        schema: { $ref: '#/components/schemas/InitialTokenWithValue' },
      },
      errors: [400, 409],
      async handle({ caller, body }) {
        const { whole, malformed } = await readRecord(newInitialTokenSchema, body());
        const { token, value } = await tokens.create(caller, whole, malformed);
        return { status: 201, body: { ...record(token), token: value } };
      },
    },
    {
      id: 'endInitialToken',
      method: 'DELETE',
      path: `${path}/{id}`,
      tag,
      summary: 'End an initial access token',
      description: `Nobody registers with it any more. Clients that did stay. ${onlyAdministrators}`,
      scope: 'write',
      answer: { status: 204, description: 'The token has ended.' },
      errors: [404],
      async handle({ caller, path: { id = '' } }) {
        await tokens.end(caller, id);
        return { status: 204 };
      },
    },
  ];
}

function record({ id, note, maxClients, clients, creationDate, expires }: InitialToken) {
  return { id, note, maxClients, clients, creationDate, expires };
}
