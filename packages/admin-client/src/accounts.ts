import type { Page, PageQuery } from './page.ts';
import type {
  Account,
  AccountFields,
  AccountWithResetLink,
  ChangedAccount,
  ChangedAccountWithResetLink,
  OwnerRevocation,
} from './records.ts';
import {
  type CallOptions,
  type ChangeOptions,
  conditional,
  type Requests,
  type Versioned,
} from './requests.ts';

export interface AccountQuery extends PageQuery {
  /** Part of the username, the display name, the e-mail address or a group. */
  readonly q?: string | undefined;
  /** The whole username. */
  readonly username?: string | undefined;
  /** Only usernames after this one. */
  readonly after?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly adminPrincipal?: boolean | undefined;
  readonly hasPassword?: boolean | undefined;
}

/** The fields of a new account. */
export interface NewAccount extends Partial<Omit<AccountFields, 'disabled'>> {
  readonly username: string;
}

/**
 * Local accounts, for administrators who logged in. Rejects with `access_denied` for every other caller, and with `not_found`
 * where users do not log in with local accounts.
 */
export interface AccountsClient {
  /** Sorted by username. */
  list(query?: AccountQuery, options?: CallOptions): Promise<Page<Account>>;
  get(id: string, options?: CallOptions): Promise<Versioned<Account>>;
  /** The user sets a password with the reset link, which only this answer has. */
  create(account: NewAccount, options?: CallOptions): Promise<AccountWithResetLink>;
  /** Ends the login sessions and revokes the grants of the account. */
  update(
    id: string,
    fields: Partial<AccountFields>,
    options?: ChangeOptions,
  ): Promise<Versioned<ChangedAccount>>;
  /** Removes the password, ends what `update` ends, and makes a reset link, which only this answer has. */
  resetPassword(id: string, options?: ChangeOptions): Promise<ChangedAccountWithResetLink>;
  /** Resolves with the numbers of what ended. */
  delete(id: string, options?: ChangeOptions): Promise<OwnerRevocation>;
}

export function accountsClient({ endpoint, json, versioned, page }: Requests): AccountsClient {
  return {
    list: async (query = {}, options) => page(endpoint('GET /admin/account', { ...query }), options),
    get: async (id, options) => versioned(endpoint('GET /admin/account/{id}', { id }), options),
    create: async (account, options) => json(endpoint('POST /admin/account', { data: account }), options),
    update: async (id, fields, options = {}) =>
      versioned(
        endpoint('PATCH /admin/account/{id}', { id, data: fields, headers: conditional(options) }),
        options,
      ),
    resetPassword: async (id, options = {}) =>
      json(endpoint('POST /admin/account/{id}/resetLink', { id, headers: conditional(options) }), options),
    delete: async (id, options = {}) =>
      json(endpoint('DELETE /admin/account/{id}', { id, headers: conditional(options) }), options),
  };
}
