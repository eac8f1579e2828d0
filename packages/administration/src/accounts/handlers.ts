import type { EndedByChange, Sealer } from '@watchword/protocol';
import { type Edit, revisionTag } from '../changes/edit.ts';
import { answerPage } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import { entityTag } from '../requests/entity-tags.ts';
import { filterOf, flagOf } from '../requests/query-values.ts';
import type { AdminAnswer, AdminHandler, AdminRequest } from '../route.ts';
import { readPatch, readRecord } from '../schema/read-record.ts';
import type { AccountFilter, AccountRecordAdministration } from './account-administration.ts';
import { accountRecord, type ListedAccount } from './account-record.ts';
import type { AccountFields } from './account-rules.ts';
import { accountSchema, newAccountSchema } from './schema.ts';

export interface AccountRouteDependencies {
  readonly accountRecords: AccountRecordAdministration;
  readonly sealer: Sealer;
  /** The address of the page on which a user sets a password. @param value of the reset link */
  resetLinkUrl(value: string): string;
}

/** The list of local accounts. */
export const accountsPath = '/admin/account';

/** Answers the routes of local accounts. */
export function accountHandlers({ accountRecords, sealer, resetLinkUrl }: AccountRouteDependencies) {
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
          total: () => accountRecords.count(request.caller),
        },
        sealer,
        (page: PageRequest<string>) => accountRecords.list(request.caller, filter, page),
        accountRecord,
      );
    },

    create: async ({ caller, body, prefix }) => {
      const { given: fields, malformed } = await readRecord(newAccountSchema, body());
      const { resetLink, ...created } = await accountRecords.create(caller, { fields, malformed });
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
  };
}

function idOf({ path }: AdminRequest): string {
  return path.id ?? '';
}

function endedRecord({ sessions, grants }: EndedByChange) {
  return { loginSessions: sessions, grants };
}

/** @param issued fields that this answer alone has */
function answerOne(listed: ListedAccount, issued: object = {}) {
  const headers = { etag: entityTag(revisionTag(listed.account)) };
  return { status: 200 as const, body: { ...accountRecord(listed), ...issued }, headers };
}
