import type { Identity, Sealer } from '@watchword/protocol';
import { endedRecord } from '../accounts/account-record.ts';
import { administratorsOnly } from '../accounts/account-rules.ts';
import { answerPage, linkNote, pageOf, pageOfAll, pagingParameters } from '../lists/listing.ts';
import {
  identityFilters,
  identityOfQuery,
  identityParameters,
  invalidParameter,
  uuid,
} from '../requests/parameters.ts';
import type { AdminRequest, AnswerDescription, Route } from '../route.ts';
import { type JsonSchema, objectSchema, timestampSchema } from '../schema/json-schema.ts';
import type { FactorAdministration, FactorOfPerson } from './factors.ts';

export interface FactorRouteDependencies {
  readonly factorAdministration: FactorAdministration;
  readonly sealer: Sealer;
}

const kinds = ['passkey', 'totp', 'recovery_code', 'trusted_browser'] as const;

export const factorSchema: JsonSchema = objectSchema(
  'A factor with which a person logs in, beside a password or a login elsewhere.',
  {
    id: { type: 'string', format: 'uuid' },
    subject: { type: 'string', description: 'Identifies the person: sub of introspection.' },
    resourceOwnerId: { type: 'string', description: 'Principal name of the person.' },
    identityProvider: { type: 'string', description: 'The identity provider of that name.' },
    kind: {
      enum: kinds,
      description:
        'totp: an app for one-time codes. recovery_code: all codes that are left. trusted_browser: a browser that needs no second factor for some days.',
    },
    name: { type: 'string', description: 'By which the person knows it; empty of recovery codes.' },
    count: { type: 'integer', minimum: 1, description: 'Of recovery codes, those that are left; else 1.' },
    creationDate: { ...timestampSchema, description: 'When it was added, in epoch milliseconds.' },
    lastUsed: {
      ...timestampSchema,
      description: 'The last use, in epoch milliseconds; 0 if there was none.',
    },
  },
);

const ofKind = { type: 'integer', minimum: 0 } as const;
const counts = {
  people: { ...ofKind, description: 'All of them.' },
  passkey: { ...ofKind, description: 'Those with a passkey.' },
  totp: { ...ofKind, description: 'Those with an app for one-time codes.' },
  recoveryCodes: { ...ofKind, description: 'Those with a recovery code that is left.' },
};
const none = { ...ofKind, description: 'Those with neither a passkey nor an app.' };

export const factorStatisticsSchema: JsonSchema = objectSchema('How many people have which factors.', {
  accounts: objectSchema('Local accounts that are not disabled.', { ...counts, none }),
  administrators: objectSchema('Those of them that are administrators.', { ...counts, none }),
  others: objectSchema('People of other identity providers who have a factor here.', counts),
});

const path = '/admin/factor';
const tag = 'Factors';
const query = identityParameters('The person, required');
const ends =
  'All login sessions of the person end, and all grants are revoked with their tokens. The owner of a local account is told by mail, where mail is set up. The factors of the last local account with which an administrator can log in are removed at the command line of the server only.';

/** Factors of people of any identity provider. */
export function factorRoutes({ factorAdministration: factors, sealer }: FactorRouteDependencies): Route[] {
  const answer: AnswerDescription = {
    status: 200,
    description: 'What ended.',
    schema: { $ref: '#/components/schemas/OwnerRevocation' },
  };
  return [
    {
      id: 'listFactors',
      method: 'GET',
      path,
      tag,
      summary: 'List the factors of a person',
      description: `In the order in which they were added. Secrets are never answered. ${administratorsOnly} ${linkNote}`,
      scope: 'read',
      query: [...query, ...pagingParameters()],
      answer: pageOf({ $ref: '#/components/schemas/Factor' }),
      errors: [400],
      async handle(request) {
        const found = await factors.list(request.caller, personOf(request));
        return answerPage(request, { path, filters: identityFilters }, sealer, pageOfAll(found), record);
      },
    },
    {
      id: 'getFactorStatistics',
      method: 'GET',
      path: `${path}/stats`,
      tag: 'Statistics',
      summary: 'Count people by their factors',
      description: `The numbers can be up to 30 seconds old. ${administratorsOnly}`,
      scope: 'read',
      answer: {
        status: 200,
        description: 'The numbers.',
        schema: { $ref: '#/components/schemas/FactorStatistics' },
      },
      async handle({ caller }) {
        const { accounts, administrators, others } = await factors.count(caller);
        const { none: _, ...known } = others;
        return { status: 200, body: { accounts, administrators, others: known } };
      },
    },
    {
      id: 'removeFactor',
      needsFreshLogin: true,
      method: 'DELETE',
      path: `${path}/{id}`,
      tag,
      summary: 'Remove a factor of a person',
      description: `The trust in browsers ends too, and without another second factor the recovery codes. ${ends} ${administratorsOnly}`,
      scope: 'write',
      answer,
      errors: [404, 409],
      async handle(request) {
        return { status: 200, body: endedRecord(await factors.remove(request.caller, uuid(request))) };
      },
    },
    {
      id: 'resetFactors',
      needsFreshLogin: true,
      method: 'DELETE',
      path,
      tag,
      summary: 'Remove all factors of a person',
      description: `For a person who has lost them. The password, and links to other identity providers, stay. ${ends} ${administratorsOnly}`,
      scope: 'write',
      query,
      answer,
      errors: [400, 404, 409],
      async handle(request) {
        return { status: 200, body: endedRecord(await factors.reset(request.caller, personOf(request))) };
      },
    },
  ];
}

/** @throws OAuthError `invalid_request` */
function personOf(request: AdminRequest): Identity {
  const person = identityOfQuery(request);
  if (person !== undefined) return person;
  throw invalidParameter('The parameters resourceOwnerId and identityProvider are required.');
}

function record({ owner, ...factor }: FactorOfPerson) {
  return { ...factor, resourceOwnerId: owner.name, identityProvider: owner.identityProvider };
}
