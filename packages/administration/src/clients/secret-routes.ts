import {
  type Client,
  type ClientSecret,
  lastDate,
  maxClientSecrets,
  type Sealer,
  secretsOf,
} from '@watchword/protocol';
import { answerPage, pageOf, pageOfAll, pagingParameters } from '../lists/listing.ts';
import { filterParameter, flagOf, recordId } from '../requests/parameters.ts';
import type { Route } from '../route.ts';
import { nullableTimestampSchema } from '../schema/json-schema.ts';
import { readPatch, readRecord } from '../schema/read-record.ts';
import {
  answerSchema,
  inputSchema,
  issued,
  optional,
  patchSchema,
  readOnly,
} from '../schema/record-schema.ts';
import type { ClientAdministration } from './client-administration.ts';
import { clientAddressOf, one } from './routes.ts';

export interface ClientSecretRouteDependencies {
  readonly clients: ClientAdministration;
  readonly sealer: Sealer;
  readonly statistics: {
    /** When each secret of the client was last used, by id, in epoch milliseconds. */
    secretUses(client: Pick<Client, 'id'>): Promise<ReadonlyMap<number, number>>;
  };
}

const details = {
  description: optional({ type: 'text' }, 'Where it is used, for people: at most 255 characters.'),
  expires: optional(
    { type: 'wholeNumber', minimum: 0, maximum: lastDate },
    'When it ends, in epoch milliseconds. Default, and 0: never.',
  ),
} as const;

const detailsSchema = { description: 'What is chosen of a secret.', fields: details };

const secretSchema = {
  description: 'A secret of a client.',
  fields: {
    id: readOnly({ type: 'integer' }, 'Its number: a newer secret has a greater one.'),
    ...details,
    creationDate: readOnly(
      nullableTimestampSchema,
      'When it was made, in epoch milliseconds; null if an earlier release made it.',
    ),
    lastUsed: readOnly(
      nullableTimestampSchema,
      'When the client last authenticated with it, in epoch milliseconds, up to about a minute ago; null if it never did.',
    ),
    secret: issued({ type: 'string' }, 'The secret itself. Only the answer to its making contains it.'),
  },
};

/** By their names in the document. */
export const clientSecretSchemas = {
  ClientSecret: answerSchema(secretSchema),
  ClientSecretWithValue: answerSchema(secretSchema, { secret: 'always' }),
};

const collection = `${one}/secrets`;
const each = `${collection}/{secretId}`;
const tag = 'Client secrets';
const shown = { $ref: '#/components/schemas/ClientSecret' };

/** Secrets of a client one by one; the rotation of `recordRoutes` replaces all of them. */
export function clientSecretRoutes(deps: ClientSecretRouteDependencies): Route[] {
  const { clients, sealer, statistics } = deps;
  return [
    {
      id: 'listClientSecrets',
      method: 'GET',
      path: collection,
      tag,
      summary: 'List the secrets of a client',
      description:
        'The newest first, also those that have expired a short time ago. Never with the secret itself. The list shows whether an application still uses an older one.',
      scope: 'read',
      query: pagingParameters(),
      answer: pageOf(shown),
      errors: [400, 404],
      async handle(request) {
        const address = clientAddressOf(request);
        const client = await clients.find(request.caller, address);
        const uses = await statistics.secretUses(client);
        const path = `/admin/resourceServer/${address.resourceServerId}/client/${address.id}/secrets`;
        const all = pageOfAll(secretsOf(client.secret));
        return answerPage(request, { path, filters: [] }, sealer, all, (secret) => record(secret, uses));
      },
    },
    {
      id: 'addClientSecret',
      needsFreshLogin: true,
      method: 'POST',
      path: collection,
      tag,
      summary: 'Give a client one more secret',
      description: `Those that it has stay valid: give the new one to the application, and remove the old one when it is not used any more. At most ${maxClientSecrets} are valid at a time: 409. A public client has no secret: 400.`,
      scope: 'write',
      body: { schema: inputSchema(detailsSchema), isRequired: true },
      answer: {
        status: 201,
        description: 'The secret. No later answer contains it.',
        schema: { $ref: '#/components/schemas/ClientSecretWithValue' },
      },
      errors: [400, 404, 409],
      async handle(request) {
        const { given: fields, malformed } = await readRecord(detailsSchema, request.body());
        const address = clientAddressOf(request);
        const { secret, text } = await clients.addSecret(request.caller, address, { fields, malformed });
        return { status: 201, body: { ...record(secret, new Map()), secret: text } };
      },
    },
    {
      id: 'changeClientSecret',
      needsFreshLogin: true,
      method: 'PATCH',
      path: each,
      tag,
      summary: 'Change when a secret of a client ends',
      description: 'A merge patch (RFC 7396): a field that is left out does not change.',
      scope: 'write',
      body: { schema: patchSchema(detailsSchema), isRequired: true },
      answer: { status: 200, description: 'The secret after the change.', schema: shown },
      errors: [400, 404, 409],
      async handle(request) {
        const { given: fields, malformed } = await readPatch(detailsSchema, request.body());
        const address = clientAddressOf(request);
        const id = recordId(request, 'secretId');
        const secret = await clients.changeSecret(request.caller, address, id, { fields, malformed });
        return { status: 200, body: record(secret, await statistics.secretUses(address)) };
      },
    },
    {
      id: 'removeClientSecret',
      needsFreshLogin: true,
      method: 'DELETE',
      path: each,
      tag,
      summary: 'Remove a secret of a client',
      description:
        'It is no longer valid at any node. The last valid one is removed only with last=true: the client cannot authenticate without one, 409.',
      scope: 'write',
      query: [filterParameter('last', 'true: also if it is the last valid one.', 'boolean')],
      answer: { status: 204, description: 'The secret is removed.' },
      errors: [400, 404, 409],
      async handle(request) {
        const isLastToo = flagOf(request, 'last') === true;
        const id = recordId(request, 'secretId');
        await clients.removeSecret(request.caller, clientAddressOf(request), id, isLastToo);
        return { status: 204 };
      },
    },
  ];
}

/** Never its hash. A use before it was made is that of another one, which had its id in an earlier release. */
function record({ id, description, creationDate, expires }: ClientSecret, uses: ReadonlyMap<number, number>) {
  const lastUsed = uses.get(id) ?? 0;
  const isOwn = lastUsed > 0 && lastUsed >= creationDate;
  return {
    ...{ id, description, expires, creationDate: creationDate || null },
    lastUsed: isOwn ? lastUsed : null,
  };
}
