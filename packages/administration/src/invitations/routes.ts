import type { FlagKind, Sealer, TextKind, TextsKind, WholeNumberKind } from '@watchword/protocol';
import { accountCallers } from '../accounts/account-rules.ts';
import { answerPage, linkNote, pageOf, pagingParameters } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import type { Route } from '../route.ts';
import { timestampSchema } from '../schema/json-schema.ts';
import { readRecord } from '../schema/read-record.ts';
import { inputSchema, issued, optional, readOnly } from '../schema/record-schema.ts';
import type { InvitationAdministration, ListedInvitation } from './invitations.ts';

export interface InvitationRouteDependencies {
  readonly invitations: InvitationAdministration;
  readonly sealer: Sealer;
  /** The address of the page on which an invited person makes an account. @param value of the invitation */
  invitationUrl(value: string): string;
}

const text = { type: 'text' } as const satisfies TextKind;
const flag = { type: 'flag' } as const satisfies FlagKind;
const labels = { type: 'texts' } as const satisfies TextsKind;
const wholeNumber = {
  type: 'wholeNumber',
  minimum: 0,
  maximum: 90 * 86_400,
} as const satisfies WholeNumberKind;

const chosen = {
  email: optional(
    text,
    'E-mail address of the person, or empty. The account has it: verified, if the invitation was mailed.',
  ),
  locale: optional(
    text,
    'Language of the mail, a tag of BCP 47 such as nl or de-AT. Default, and empty: English.',
  ),
  groups: optional(labels, 'Groups of the account.'),
  roles: optional(labels, 'Roles of the account.'),
  passkey: optional(flag, 'Whether the account is made with a passkey, and has no password.'),
  note: optional(text, 'For administrators, such as the name of the person.'),
};

export const invitationSchema = {
  description:
    'An invitation to make a local account, with a username and a password that the person chooses, or a passkey.',
  fields: {
    id: readOnly({ type: 'string' }, 'Id of the invitation.'),
    ...chosen,
    mailed: readOnly(
      { type: 'boolean' },
      'Whether the link was mailed to the address. It is, if there is one and mail is set up.',
    ),
    invitedBy: readOnly({ type: 'string' }, 'Name of the administrator who invited the person.'),
    creationDate: readOnly(timestampSchema, 'When the invitation was made, in epoch milliseconds.'),
    expires: readOnly(timestampSchema, 'When the link expires, in epoch milliseconds.'),
    link: issued(
      { type: 'string' },
      'The address at which the person makes the account, once. Only this answer contains it, and only if the link was not mailed.',
    ),
  },
};

const newInvitationSchema = {
  description: 'A new invitation.',
  fields: {
    ...chosen,
    lifetime: optional(
      wholeNumber,
      'Seconds for which the link is valid, at most 90 days. Default, and 0: 7 days.',
    ),
  },
};

const path = '/admin/invitation';
const tag = 'Invitations';

export function invitationRoutes({
  invitations,
  sealer,
  invitationUrl,
}: InvitationRouteDependencies): Route[] {
  return [
    {
      id: 'listInvitations',
      method: 'GET',
      path,
      tag,
      summary: 'List invitations that wait',
      description: `In the order in which they were made. One that was accepted is left out, and so is one that has expired. ${accountCallers} ${linkNote}`,
      scope: 'read',
      query: pagingParameters(),
      answer: pageOf({ $ref: '#/components/schemas/Invitation' }),
      errors: [400, 404],
      handle: (request) =>
        answerPage(
          request,
          { path, filters: [] },
          sealer,
          (page: PageRequest<string>) => invitations.list(request.caller, page),
          record,
        ),
    },
    {
      id: 'createInvitation',
      method: 'POST',
      path,
      tag,
      summary: 'Invite a person',
      description: `With an address, and a server that sends mail, the link is mailed; else the answer has it. It works once. ${accountCallers}`,
      scope: 'write',
      body: { schema: inputSchema(newInvitationSchema), isRequired: true },
      answer: {
        status: 201,
        description: 'The invitation, with its link if it was not mailed. No later answer contains the link.',
        schema: { $ref: '#/components/schemas/InvitationWithLink' },
      },
      errors: [400, 404],
      handle: async ({ caller, body }) => {
        const { whole, malformed } = await readRecord(newInvitationSchema, body());
        const { link, ...made } = await invitations.create(caller, whole, malformed);
        return {
          status: 201,
          body: { ...record(made), ...(link !== undefined && { link: invitationUrl(link) }) },
        };
      },
    },
    {
      id: 'revokeInvitation',
      method: 'DELETE',
      path: `${path}/{id}`,
      tag,
      summary: 'Withdraw an invitation',
      description: `Its link is of no use any more. ${accountCallers}`,
      scope: 'write',
      answer: { status: 204, description: 'The invitation is withdrawn.' },
      errors: [404],
      handle: async ({ caller, path: { id = '' } }) => {
        await invitations.revoke(caller, id);
        return { status: 204 };
      },
    },
  ];
}

function record(listed: ListedInvitation) {
  const { id, email, locale, groups, roles, passkey, note, mailed, invitedBy, creationDate, expires } =
    listed;
  return { id, email, locale, groups, roles, passkey, note, mailed, invitedBy, creationDate, expires };
}
