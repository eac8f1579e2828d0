import { type HostRule, hostEffects, kindProblems, type Sealer } from '@watchword/protocol';
import { answerPage, linkNote, pageOf, pagingParameters } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import type { AdminRequest, Route } from '../route.ts';
import { type JsonSchema, objectSchema, timestampSchema } from '../schema/json-schema.ts';
import { readRecord, rejectMalformed } from '../schema/read-record.ts';
import { inputSchema, optional, required } from '../schema/record-schema.ts';
import type { ClientHostAdministration } from './client-hosts.ts';

export interface ClientHostRouteDependencies {
  readonly clientHosts: ClientHostAdministration;
  readonly sealer: Sealer;
}

const tag = 'Client hosts';
const path = '/admin/clientHost';
const onlyAdministrators = 'Only for administrators.';

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
  ];
}

function shownRule({ pattern, effect, note, modificationDate }: HostRule) {
  return { pattern, effect, note, modificationDate };
}

function patternOf({ path }: AdminRequest): string {
  return path.id ?? '';
}
