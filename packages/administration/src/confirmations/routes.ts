import type { Sealer } from '@watchword/protocol';
import { accountCallers } from '../accounts/account-rules.ts';
import { answerPage, linkNote, pageOf, pagingParameters } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import { choiceOf, filterOf, filterParameter } from '../requests/parameters.ts';
import type { Route } from '../route.ts';
import { type JsonSchema, objectSchema, timestampSchema } from '../schema/json-schema.ts';
import type { Confirmation, ConfirmationAdministration } from './confirmations.ts';

export interface ConfirmationRouteDependencies {
  readonly confirmations: ConfirmationAdministration;
  readonly sealer: Sealer;
}

export const confirmationPurposes = ['reset_password', 'change_address', 'sign_up'] as const;

export const confirmationSchema: JsonSchema = objectSchema(
  'What a person was asked by mail to confirm, with a link and a code that work once.',
  {
    id: { type: 'string', format: 'uuid' },
    purpose: {
      enum: confirmationPurposes,
      description:
        'reset_password: a new password for the account. change_address: the new address of the account. sign_up: the address of a person who has no account yet.',
    },
    accountId: { type: ['string', 'null'], description: 'Id of the account; null for sign_up.' },
    username: { type: ['string', 'null'], description: 'Username of the account; null for sign_up.' },
    address: { type: 'string', description: 'The e-mail address to which the mail went.' },
    creationDate: { ...timestampSchema, description: 'When it was asked for, in epoch milliseconds.' },
    expires: { ...timestampSchema, description: 'When the link expires, in epoch milliseconds.' },
  },
);

const path = '/admin/confirmation';
const tag = 'Confirmations';
const filters = ['purpose', 'accountId'] as const;

/** Pending confirmations of people. */
export function confirmationRoutes({ confirmations, sealer }: ConfirmationRouteDependencies): Route[] {
  return [
    {
      id: 'listConfirmations',
      method: 'GET',
      path,
      tag,
      summary: 'List what people were asked by mail to confirm',
      description: `In the order in which it was asked for. Invitations are a list of their own. ${accountCallers} ${linkNote}`,
      scope: 'read',
      query: [
        {
          name: 'purpose',
          description: 'Only those for this purpose.',
          schema: { enum: confirmationPurposes },
        },
        filterParameter('accountId', 'Only those of the account with this id.'),
        ...pagingParameters(),
      ],
      answer: pageOf({ $ref: '#/components/schemas/Confirmation' }),
      errors: [400, 404],
      handle(request) {
        const filter = {
          purpose: choiceOf(request, 'purpose', confirmationPurposes),
          accountId: filterOf(request, 'accountId'),
        };
        return answerPage(
          request,
          { path, filters },
          sealer,
          (page: PageRequest<string>) => confirmations.list(request.caller, filter, page),
          record,
        );
      },
    },
    {
      id: 'endConfirmation',
      method: 'DELETE',
      path: `${path}/{id}`,
      tag,
      summary: 'End a pending confirmation',
      description: `Its link and its code are of no use any more. The person can ask for another one. ${accountCallers}`,
      scope: 'write',
      answer: { status: 204, description: 'The confirmation has ended.' },
      errors: [404],
      async handle({ caller, path: { id = '' } }) {
        await confirmations.end(caller, id);
        return { status: 204 };
      },
    },
  ];
}

function record({ id, purpose, account, address, creationDate, expires }: Confirmation) {
  const of = { accountId: account?.id ?? null, username: account?.username ?? null };
  return { id, purpose, ...of, address, creationDate, expires };
}
