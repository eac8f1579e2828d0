import type { AccountLink, Sealer } from '@watchword/protocol';
import { answerPage, linkNote, pageOf, pageOfAll, pagingParameters } from '../lists/listing.ts';
import type { Route } from '../route.ts';
import { type JsonSchema, objectSchema, timestampSchema } from '../schema/json-schema.ts';
import type { AccountLinkAdministration } from './account-links.ts';
import { endedRecord } from './account-record.ts';
import { accountCallers } from './account-rules.ts';

export interface AccountLinkRouteDependencies {
  readonly accountLinkAdministration: AccountLinkAdministration;
  readonly sealer: Sealer;
}

export const accountLinkSchema: JsonSchema = objectSchema(
  'A link with which a person of another identity provider logs in to a local account.',
  {
    authenticator: {
      type: 'string',
      description: 'Name of the authenticator with which the person logs in.',
    },
    identityProvider: { type: 'string', description: 'Identity provider of the person.' },
    name: { type: 'string', description: 'Name of the person there, when the link was made.' },
    creationDate: { ...timestampSchema, description: 'When the link was made, in epoch milliseconds.' },
    lastUsed: {
      ...timestampSchema,
      description: 'The last login with the link, in epoch milliseconds; 0 if there was none.',
    },
  },
);

const path = '/admin/account/{id}/link';
const tag = 'Account links';

/** The links of a local account to other identity providers. */
export function accountLinkRoutes({
  accountLinkAdministration: links,
  sealer,
}: AccountLinkRouteDependencies): Route[] {
  return [
    {
      id: 'listAccountLinks',
      method: 'GET',
      path,
      tag,
      summary: 'List the links of a local account to other identity providers',
      description: `Ordered by authenticator. ${accountCallers} ${linkNote}`,
      scope: 'read',
      query: pagingParameters(),
      answer: pageOf({ $ref: '#/components/schemas/AccountLink' }),
      errors: [400, 404],
      async handle(request) {
        const { id = '' } = request.path;
        const listed = { path: path.replace('{id}', id), filters: [] };
        const found = await links.list(request.caller, id);
        return answerPage(request, listed, sealer, pageOfAll(found), record);
      },
    },
    {
      id: 'removeAccountLink',
      method: 'DELETE',
      path: `${path}/{authenticator}`,
      tag,
      summary: 'Remove a link of a local account to another identity provider',
      description: `The person cannot log in to the account with this authenticator any more. All login sessions of the account end, and its grants are revoked with all their tokens. The password stays: an account without one needs a reset link, if this was the last way in. The last administrator who can log in keeps it: 409. ${accountCallers}`,
      scope: 'write',
      answer: {
        status: 200,
        description: 'The link is removed. The numbers of what ended.',
        schema: { $ref: '#/components/schemas/OwnerRevocation' },
      },
      errors: [404, 409],
      async handle({ caller, path: { id = '', authenticator = '' } }) {
        return { status: 200, body: endedRecord(await links.remove(caller, id, authenticator)) };
      },
    },
  ];
}

function record({ authenticator, identityProvider, name, creationDate, lastUsed }: AccountLink) {
  return { authenticator, identityProvider, name, creationDate, lastUsed };
}
