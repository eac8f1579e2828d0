import type { Sealer } from '@watchword/protocol';
import { rights as knownRights } from '../callers/rights.ts';
import { answerPage, linkNote, pageOf, pageOfAll, pagingParameters } from '../lists/listing.ts';
import { filterOf, filterParameter } from '../requests/parameters.ts';
import type { Route } from '../route.ts';
import { type JsonSchema, objectSchema, timestampSchema } from '../schema/json-schema.ts';
import { readRecord, rejectMalformed } from '../schema/read-record.ts';
import { inputSchema, required } from '../schema/record-schema.ts';
import type { ListedRight, RightAdministration } from './rights.ts';

export interface RightRouteDependencies {
  readonly rightAdministration: RightAdministration;
  readonly sealer: Sealer;
}

const tag = 'Rights';
const rightsPath = '/admin/right';
const ofClient = `${rightsPath}/{clientId}`;
const forAdministrators = 'Only for administrators who logged in.';

const right = {
  type: 'string',
  enum: [...knownRights],
  description:
    'Read or write; write includes read. records: resource servers and clients of the client itself, also where others cannot register any. records:all: those of everyone. accounts: local accounts, invitations and factors. grants: what users granted, access tokens and login sessions. audit, errors, keys: the audit log, refused requests, and the keys of the server.',
} as const;

export const rightSchema: JsonSchema = objectSchema('A right of a client that acts for itself.', {
  clientId: { type: 'string' },
  clientName: { type: 'string' },
  right,
  givenBy: { type: 'string', description: 'The administrator who gave it. It ends with their own status.' },
  givenByAuthority: { type: 'string', description: 'The identity provider of givenBy.' },
  creationDate: { ...timestampSchema, description: 'Epoch milliseconds.' },
});

export const givenRightsSchema: JsonSchema = objectSchema('What a client can administer.', {
  rights: { type: 'array', items: { $ref: '#/components/schemas/Right' } },
});

const submitted = {
  description: 'The rights of a client.',
  fields: {
    rights: required({ type: 'texts', maxItems: knownRights.length }, `Some of ${knownRights.join(', ')}.`),
  },
} as const;

function shownRight({ client: { clientId, clientName }, giver, right, creationDate }: ListedRight) {
  const givenBy = { givenBy: giver.name, givenByAuthority: giver.identityProvider };
  return { clientId, clientName, right, ...givenBy, creationDate };
}

export function rightRoutes({ rightAdministration: rights, sealer }: RightRouteDependencies): Route[] {
  const one = { $ref: '#/components/schemas/Right' };
  return [
    {
      id: 'listRights',
      method: 'GET',
      path: rightsPath,
      tag,
      summary: 'List what clients can administer',
      description: `In the order of the clients. ${forAdministrators} ${linkNote}`,
      scope: 'read',
      query: [filterParameter('clientId', 'Only the rights of this client.'), ...pagingParameters()],
      answer: pageOf(one),
      errors: [400],
      handle: async (request) => {
        const all = await rights.list(request.caller, filterOf(request, 'clientId'));
        return answerPage(
          request,
          { path: rightsPath, filters: ['clientId'] },
          sealer,
          pageOfAll(all),
          shownRight,
        );
      },
    },
    {
      id: 'giveRights',
      needsFreshLogin: true,
      method: 'POST',
      path: ofClient,
      tag,
      summary: 'Let a client administer',
      description: `Gives all rights or none, for access tokens that the client gets for itself, also those that it has. It needs to be a client of authorization-server-admin with the scopes read and write. A right ends when its giver is no administrator any more. ${forAdministrators}`,
      scope: 'write',
      body: { schema: inputSchema(submitted), isRequired: true },
      answer: {
        status: 200,
        description: 'All rights of the client.',
        schema: { $ref: '#/components/schemas/GivenRights' },
      },
      errors: [400, 404],
      async handle({ caller, path, body }) {
        const { whole, malformed } = await readRecord(submitted, body());
        rejectMalformed(malformed);
        const all = await rights.give(caller, path.clientId ?? '', whole.rights);
        return { status: 200, body: { rights: all.map(shownRight) } };
      },
    },
    {
      id: 'endRights',
      method: 'DELETE',
      path: ofClient,
      tag,
      summary: 'End what a client can administer',
      description: `One right, or all of the client. They hold nowhere from then on, also for access tokens that were issued before. ${forAdministrators}`,
      scope: 'write',
      query: [filterParameter('right', 'Only this right.')],
      answer: { status: 204, description: 'They are ended.' },
      errors: [400, 404],
      async handle(request) {
        await rights.end(request.caller, request.path.clientId ?? '', filterOf(request, 'right'));
        return { status: 204 };
      },
    },
  ];
}
