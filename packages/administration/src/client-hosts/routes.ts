import { type HostRule, hostEffects, kindProblems, type Sealer } from '@watchword/protocol';
import { answerPage, linkNote, pageOf, pagingParameters } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import type { AdminRequest, Route } from '../route.ts';
import { type JsonSchema, objectSchema, timestampSchema } from '../schema/json-schema.ts';
import { readRecord, rejectMalformed } from '../schema/read-record.ts';
import { inputSchema, optional, required } from '../schema/record-schema.ts';
import type { ClientHostAdministration, DescribedClientUse } from './client-hosts.ts';

export interface ClientHostRouteDependencies {
  readonly clientHosts: ClientHostAdministration;
  readonly sealer: Sealer;
}

const tag = 'Client hosts';
const path = '/admin/clientHost';
const clientsPath = '/admin/describedClient';
const onlyAdministrators = 'Only for administrators.';
// Each client of a page is counted.
const maxLimit = 100;
const hourMs = 3_600_000;

const submitted = {
  description: 'What is decided about hosts.',
  fields: {
    effect: required({ type: 'choice', values: hostEffects }, 'Whether clients of these hosts are allowed.'),
    note: optional({ type: 'text', maxLength: 1000 }, 'Why, for other administrators.'),
  },
} as const;

const ruleProperties = {
  pattern: {
    type: 'string',
    description: 'A host name or address, or *. and a name for all names below it.',
  },
  effect: {
    type: 'string',
    enum: [...hostEffects],
    description: 'Whether clients of these hosts are allowed.',
  },
  note: { type: 'string', description: 'Why, for other administrators.' },
  modificationDate: { ...timestampSchema, description: 'Epoch milliseconds.' },
} as const;

export const clientHostSchema: JsonSchema = objectSchema(
  'What administrators decided about the hosts of clients that documents describe.',
  ruleProperties,
);

export const decidedClientHostSchema: JsonSchema = objectSchema('The same after a change.', {
  ...ruleProperties,
  ended: { type: 'integer', description: 'Clients that are not allowed any more, and have ended.' },
});

export const describedClientSchema: JsonSchema = objectSchema(
  'A client that a document describes, to which a user has consented.',
  {
    id: { type: 'integer', description: 'Its record id.' },
    resourceserver_id: { type: 'integer', description: 'Record id of the home of such clients.' },
    clientId: { type: 'string', description: 'The URL of its document.' },
    clientName: { type: 'string', description: 'What it calls itself, with its host.' },
    host: { type: 'string', description: 'The host of its document.' },
    allowed: { type: 'boolean', description: 'Whether new requests of it are accepted.' },
    users: { type: 'integer', description: 'Resource owners with a valid grant, among the newest grants.' },
    lastIssued: {
      ...timestampSchema,
      type: ['integer', 'null'],
      description:
        'Epoch milliseconds: the hour in which a token was last issued; null if none was in the last month.',
    },
  },
);

export function clientHostRoutes({ clientHosts, sealer }: ClientHostRouteDependencies): Route[] {
  return [
    {
      id: 'listClientHosts',
      method: 'GET',
      path,
      tag,
      summary: 'List what is decided about the hosts of clients',
      description: `In the order of the patterns. The setting clients.metadataDocuments decides about all others. ${onlyAdministrators} ${linkNote}`,
      scope: 'read',
      query: pagingParameters(),
      answer: pageOf({ $ref: '#/components/schemas/ClientHost' }),
      errors: [400],
      handle: (request) =>
        answerPage(
          request,
          { path, filters: [] },
          sealer,
          (page: PageRequest<string>) => clientHosts.list(request.caller, page),
          shownRule,
        ),
    },
    {
      id: 'replaceClientHost',
      needsFreshLogin: true,
      method: 'PUT',
      path: `${path}/{id}`,
      tag,
      summary: 'Allow or block the clients of hosts',
      description: `The id is a host name such as example.com, or *.example.com for all names below it. Of several patterns the most specific one decides. Clients that are not allowed any more are deleted, with all that users gave them. ${onlyAdministrators}`,
      scope: 'write',
      body: { schema: inputSchema(submitted), isRequired: true },
      answer: {
        status: 200,
        description: 'What is decided.',
        schema: { $ref: '#/components/schemas/DecidedClientHost' },
      },
      errors: [400, 409],
      async handle(request) {
        const { whole, malformed } = await readRecord(submitted, request.body());
        const wrong = (['effect', 'note'] as const).flatMap((field) =>
          [...kindProblems(submitted.fields[field].kind, whole[field])].map((problem) => ({
            field,
            problem,
          })),
        );
        rejectMalformed([...malformed, ...wrong]);
        const { rule, ended } = await clientHosts.decide(
          request.caller,
          patternOf(request),
          whole.effect,
          whole.note,
        );
        return { status: 200, body: { ...shownRule(rule), ended } };
      },
    },
    {
      id: 'deleteClientHost',
      needsFreshLogin: true,
      method: 'DELETE',
      path: `${path}/{id}`,
      tag,
      summary: 'Decide nothing about hosts any more',
      description: `Clients that are not allowed without it are deleted, with all that users gave them. ${onlyAdministrators}`,
      scope: 'write',
      answer: { status: 204, description: 'The setting decides again.' },
      errors: [400, 404],
      async handle(request) {
        await clientHosts.remove(request.caller, patternOf(request));
        return { status: 204 };
      },
    },
    {
      id: 'listDescribedClients',
      method: 'GET',
      path: clientsPath,
      tag: 'Described clients',
      summary: 'List the clients that documents describe',
      description: `Those to which a user has consented, with their use. The deletion of the client ends one. Ordered by id. ${onlyAdministrators} ${linkNote}`,
      scope: 'read',
      query: pagingParameters(maxLimit),
      answer: pageOf({ $ref: '#/components/schemas/DescribedClient' }),
      errors: [400],
      handle: (request) =>
        answerPage(
          request,
          { path: clientsPath, filters: [], maxLimit },
          sealer,
          (page: PageRequest<number>) => clientHosts.listClients(request.caller, page),
          shownClient,
        ),
    },
  ];
}

function shownRule({ pattern, effect, note, modificationDate }: HostRule) {
  return { pattern, effect, note, modificationDate };
}

function shownClient({ client, host, isAllowed, resourceOwners, lastHour }: DescribedClientUse) {
  const { id, resourceServerId, clientId, clientName } = client;
  return {
    id,
    resourceserver_id: resourceServerId,
    clientId,
    clientName,
    host,
    allowed: isAllowed,
    users: resourceOwners,
    lastIssued: lastHour === undefined ? null : lastHour * hourMs,
  };
}

function patternOf({ path }: AdminRequest): string {
  return path.id ?? '';
}
