import type { FirstFactor } from '@watchword/accounts';
import type { Sealer } from '@watchword/protocol';
import { type Edit, revisionTag } from '../changes/edit.ts';
import {
  answerPage,
  linkNote,
  pageOf,
  pagingParameters,
  searchParameter,
  totalNote,
} from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import { entityTag } from '../requests/entity-tags.ts';
import { filterOf, filterParameter, flagOf } from '../requests/parameters.ts';
import type { AdminAnswer, AdminHandler, AdminRequest, Route } from '../route.ts';
import { readPatch, readRecord } from '../schema/read-record.ts';
import { inputSchema, patchSchema } from '../schema/record-schema.ts';
import type { AccountFilter, AccountRecordAdministration } from './account-administration.ts';
import { accountRecord, endedRecord, type ListedAccount } from './account-record.ts';
import { type AccountFields, accountCallers } from './account-rules.ts';
import { accountSchema, newAccountSchema } from './schema.ts';

export interface AccountRouteDependencies {
  readonly accountRecords: AccountRecordAdministration;
  readonly sealer: Sealer;
  /** The address of the page on which a user sets a password. @param value of the reset link */
  resetLinkUrl(value: string): string;
}

/** The list of local accounts. */
const accountsPath = '/admin/account';

/** Answers the routes of local accounts. */
function accountHandlers({ accountRecords, sealer, resetLinkUrl }: AccountRouteDependencies) {
  const update = async (request: AdminRequest, edit: Edit<AccountFields>): Promise<AdminAnswer> => {
    const { caller, condition } = request;
    const conditional = { ...edit, ...(condition && { condition }) };
    const changed = await accountRecords.update(caller, idOf(request), conditional);
    return answerOne(changed, { ended: endedRecord(changed.ended) });
  };

  return {
    list: (request) => {
      const filter = readFilter(request);
      return answerPage(
        request,
        {
          path: accountsPath,
          filters: ['q', 'username', 'after', 'disabled', 'adminPrincipal', 'hasPassword'],
          kept: ['lastLogin'],
          total: () => accountRecords.count(request.caller),
        },
        sealer,
        (page: PageRequest<string>) => accountRecords.list(request.caller, filter, page),
        accountRecord,
      );
    },

    create: async ({ caller, body, prefix }) => {
      const { given, malformed } = await readRecord(newAccountSchema, body());
      const { passkey = false, ...fields } = given;
      const factor = factorOf(passkey);
      const { resetLink, ...created } = await accountRecords.create(caller, { fields, malformed }, factor);
      const { body: record, headers } = answerOne(created, { resetLink: resetLinkUrl(resetLink) });
      const location = `${prefix}${accountsPath}/${created.account.id}`;
      return { status: 201, body: record, headers: { location, ...headers } };
    },

    find: async (request) => answerOne(await accountRecords.find(request.caller, idOf(request))),

    replace: async (request) => {
      const { given, malformed } = await readRecord(accountSchema, request.body());
      return update(request, { apply: () => given, malformed });
    },

    change: async (request) => update(request, await readPatch(accountSchema, request.body())),

    resetPassword: async (request) => {
      const { caller, condition } = request;
      const { resetLink, ended, ...reset } = await accountRecords.resetPassword(
        caller,
        idOf(request),
        condition,
        factorOf(flagOf(request, 'passkey')),
      );
      return answerOne(reset, { resetLink: resetLinkUrl(resetLink), ended: endedRecord(ended) });
    },

    delete: async (request) => {
      const { caller, condition } = request;
      const ended = await accountRecords.delete(caller, idOf(request), condition);
      return { status: 200, body: endedRecord(ended) };
    },
  } satisfies Readonly<Record<string, AdminHandler>>;
}

function readFilter(request: AdminRequest): AccountFilter {
  return {
    q: filterOf(request, 'q'),
    username: filterOf(request, 'username'),
    after: filterOf(request, 'after'),
    disabled: flagOf(request, 'disabled'),
    adminPrincipal: flagOf(request, 'adminPrincipal'),
    hasPassword: flagOf(request, 'hasPassword'),
    lastLogin: flagOf(request, 'lastLogin'),
  };
}

function factorOf(passkey = false): FirstFactor {
  return passkey ? 'passkey' : 'password';
}

function idOf({ path }: AdminRequest): string {
  return path.id ?? '';
}

/** @param issued fields that this answer alone has */
function answerOne(listed: ListedAccount, issued: object = {}) {
  const headers = { etag: entityTag(revisionTag(listed.account)) };
  return { status: 200 as const, body: { ...accountRecord(listed), ...issued }, headers };
}

const tag = 'Accounts';
const one = `${accountsPath}/{id}`;
const record = { $ref: '#/components/schemas/Account' };
const withResetLink = { $ref: '#/components/schemas/AccountWithResetLink' };
const headers = ['ETag'] as const;

const ends = 'All login sessions of the account end, and its grants are revoked with all their tokens.';
const last = 'The last administrator who can log in stays: 409.';

const change = {
  path: one,
  tag,
  scope: 'write',
  isConditional: true,
  answer: {
    status: 200,
    description: 'The account after the change, with the numbers of what ended.',
    schema: { $ref: '#/components/schemas/ChangedAccount' },
    headers,
  },
  errors: [400, 404, 409, 412],
} as const;

export function accountRoutes(deps: AccountRouteDependencies): Route[] {
  const handlers = accountHandlers(deps);
  return [
    {
      id: 'listAccounts',
      method: 'GET',
      path: accountsPath,
      tag,
      summary: 'List local accounts',
      description: `Ordered by username. ${accountCallers} ${linkNote} ${totalNote}`,
      scope: 'read',
      query: [
        searchParameter('the username, the display name, the e-mail address or a group'),
        filterParameter('username', 'Only the account with exactly this username.'),
        filterParameter('after', 'Only accounts whose username follows this text, in the order of the list.'),
        filterParameter('disabled', 'Only accounts that are disabled, or that are not.', 'boolean'),
        filterParameter('adminPrincipal', 'Only administrators, or only other users.', 'boolean'),
        filterParameter('hasPassword', 'Only accounts that have a password, or that have none.', 'boolean'),
        filterParameter('lastLogin', 'true: each account has lastLogin.', 'boolean'),
        ...pagingParameters(),
      ],
      answer: pageOf(record, true),
      errors: [400, 404],
      handle: handlers.list,
    },
    {
      id: 'createAccount',
      method: 'POST',
      path: accountsPath,
      tag,
      summary: 'Create a local account',
      description: `The user sets the password, or adds the passkey, with the reset link, which is valid for an hour and only in this answer. ${accountCallers}`,
      scope: 'write',
      body: { schema: inputSchema(newAccountSchema), isRequired: true },
      answer: {
        status: 201,
        description: 'The account is created.',
        schema: withResetLink,
        headers: ['ETag', 'Location'],
      },
      errors: [400, 404, 409],
      handle: handlers.create,
    },
    {
      id: 'getAccount',
      method: 'GET',
      path: one,
      tag,
      summary: 'Read a local account',
      description: accountCallers,
      scope: 'read',
      answer: { status: 200, description: 'The record.', schema: record, headers },
      errors: [404],
      handle: handlers.find,
    },
    {
      ...change,
      id: 'replaceAccount',
      method: 'PUT',
      summary: 'Replace the fields of a local account',
      description: `Claims that are left out stay as they are. ${ends} ${last} ${accountCallers}`,
      body: { schema: inputSchema(accountSchema), isRequired: true },
      handle: handlers.replace,
    },
    {
      ...change,
      id: 'changeAccount',
      method: 'PATCH',
      summary: 'Change, disable or enable a local account',
      description: `A merge patch (RFC 7396): a field that is left out does not change. ${ends} Nothing of it comes back when the account is enabled. ${last} ${accountCallers}`,
      body: { schema: patchSchema(accountSchema), isRequired: true },
      handle: handlers.change,
    },
    ...endingRoutes(handlers),
  ];
}

function endingRoutes(handlers: ReturnType<typeof accountHandlers>): Route[] {
  return [
    {
      ...change,
      id: 'resetAccountPassword',
      needsFreshLogin: true,
      method: 'POST',
      path: `${one}/resetLink`,
      summary: 'Remove the password of a local account and make a reset link',
      query: [
        filterParameter(
          'passkey',
          'true: the user adds a passkey with the link, and no password. 409 if the account has a factor.',
          'boolean',
        ),
      ],
      description: `The user sets a new password with the link, once and within an hour. An earlier link of the account ends. Links to other identity providers stay: remove them if somebody else made them. ${ends} ${last} ${accountCallers}`,
      answer: {
        status: 200,
        description: 'The account with its reset link. No later answer contains the link.',
        schema: { $ref: '#/components/schemas/ChangedAccountWithResetLink' },
        headers,
      },
      errors: [400, 404, 409, 412],
      handle: handlers.resetPassword,
    },
    {
      ...change,
      id: 'deleteAccount',
      needsFreshLogin: true,
      method: 'DELETE',
      summary: 'Delete a local account',
      description: `${ends} Remembered consents are removed. A later account with the same username belongs to another user. An account that owns resource servers cannot be deleted: 409. ${last} ${accountCallers}`,
      answer: {
        status: 200,
        description: 'The account is deleted. The numbers of what ended.',
        schema: { $ref: '#/components/schemas/OwnerRevocation' },
      },
      errors: [404, 409, 412],
      handle: handlers.delete,
    },
  ];
}
