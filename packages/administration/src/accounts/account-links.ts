import { type AccountLink, type AccountLinkStore, type EndedByChange, OAuthError } from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { changeRecords } from '../changes/change-records.ts';
import type { AccountRecordDependencies } from './account-administration.ts';
import { ofAccount } from './account-record.ts';
import {
  noSuchAccount,
  requireAccountAccess,
  requireAdministratorLeft,
  requirePersonFor,
} from './account-rules.ts';

/**
 * Links of local accounts to other identity providers. Administrators alone can use them, and clients with the right to accounts.
 *
 * Each method throws OAuthError `access_denied`, and `not_found` when there is no such account or no local login.
 */
export interface AccountLinkAdministration {
  /** In the order of the names of their authenticators. */
  list(caller: Caller, accountId: string): Promise<readonly AccountLink[]>;
  /**
   * Nobody logs in to the account with this authenticator any more. Ends the login sessions of the account and revokes its grants, whichever
   * way the person came.
   *
   * @throws OAuthError `not_found` when there is no such link; `conflict` for the last administrator, who has no other way
   */
  remove(caller: Caller, accountId: string, authenticator: string): Promise<EndedByChange>;
}

type Dependencies = Omit<AccountRecordDependencies, 'auditEvents' | 'subjectSecret'> & {
  readonly accountLinks: Pick<AccountLinkStore, 'listOfAccount'>;
};

export function accountLinkAdministration(deps: Dependencies): AccountLinkAdministration {
  const { accountLinks, accounts, clock, hasLocalLogin } = deps;
  return {
    async list(caller, accountId) {
      requireAccountAccess(caller, hasLocalLogin);
      if ((await accounts.findById(accountId)) === undefined) throw noSuchAccount();
      return accountLinks.listOfAccount(accountId);
    },

    async remove(caller, accountId, authenticator) {
      requireAccountAccess(caller, hasLocalLogin);
      return changeRecords(caller, deps, async (stores) => {
        const account = await stores.accounts.findById(accountId);
        if (account === undefined) throw noSuchAccount();
        requirePersonFor(caller, account);
        const links = await stores.accountLinks.listOfAccount(accountId);
        const link = links.find((each) => each.authenticator === authenticator);
        const others = links.filter((each) => each !== link);
        await requireAdministratorLeft(caller, account, account, stores, others);
        if (link === undefined || !(await stores.accountLinks.delete(accountId, authenticator))) {
          throw noSuchLink();
        }
        const { username } = account;
        const ended = await stores.accounts.update(username, {}, clock.now());
        if (ended === undefined) throw noSuchAccount();
        const { identityProvider, name } = link;
        const before = { authenticator, identityProvider, name };
        return { value: ended, changes: [{ action: 'unlinkProvider', ...ofAccount(username), before }] };
      });
    },
  };
}

function noSuchLink(): OAuthError {
  return new OAuthError('not_found', {
    description: 'The account has no link with this authenticator.',
  });
}
