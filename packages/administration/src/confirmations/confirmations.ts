import { auditedConfirmation, type ConfirmationPurpose } from '@watchword/accounts';
import {
  type Account,
  type AccountStore,
  OAuthError,
  type PersonLink,
  type PersonLinkStore,
} from '@watchword/protocol';
import { requireAccountAccess } from '../accounts/account-rules.ts';
import type { Caller } from '../callers/caller.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { type Page, type PageRequest, readPage } from '../lists/page.ts';

/** A mailed link that is neither used nor ended. Its secret is not known to the server. */
export interface Confirmation extends Pick<PersonLink, 'id' | 'address' | 'creationDate' | 'expires'> {
  readonly purpose: ConfirmationPurpose;
  /** `undefined` for a person who signs up. */
  readonly account: Pick<Account, 'id' | 'username'> | undefined;
}

export interface ConfirmationFilter {
  readonly purpose?: ConfirmationPurpose | undefined;
  /** The id of the account. */
  readonly accountId?: string | undefined;
}

/** What people were asked by mail to confirm. Administrators alone can use it, and clients with the right to accounts. Invitations are a list of their own. */
export interface ConfirmationAdministration {
  /** In the order in which they were asked for. */
  list(
    caller: Caller,
    filter: ConfirmationFilter,
    page: PageRequest<string>,
  ): Promise<Page<Confirmation, string>>;
  /** Its link and its code are of no use any more. @throws OAuthError `not_found` when it was used or ended, or has expired */
  end(caller: Caller, id: string): Promise<void>;
}

type Dependencies = Pick<
  AdministrationDependencies,
  'transact' | 'clock' | 'random' | 'audited' | 'ownerLimits'
> & {
  readonly accounts: Pick<AccountStore, 'findById'>;
  readonly personLinks: Pick<PersonLinkStore, 'list'>;
  readonly hasLocalLogin: boolean;
};

export function confirmationAdministration(deps: Dependencies): ConfirmationAdministration {
  const { accounts, clock, hasLocalLogin, personLinks } = deps;
  return {
    async list(caller, { purpose, accountId }, page) {
      requireAccountAccess(caller, hasLocalLogin);
      const now = clock.now();
      return readPage(page, {
        fetch: (after, limit) => personLinks.list({ purpose, accountId, after, limit }),
        positionOf: ({ id }) => id,
        pick: (link) => (link.expires > now ? confirmationOf(link, accounts) : undefined),
      });
    },

    async end(caller, id) {
      requireAccountAccess(caller, hasLocalLogin);
      await changeRecords(caller, deps, async (stores) => {
        const link = await stores.personLinks.find(id, clock.now());
        const confirmation = link && (await confirmationOf(link, stores.accounts));
        if (link === undefined || confirmation === undefined) throw noSuchConfirmation();
        if (!(await stores.personLinks.redeem(id, clock.now()))) throw noSuchConfirmation();
        const { record, owner, state } = auditedConfirmation(link, confirmation.account?.username);
        return { value: undefined, changes: [{ action: 'delete', ...record, owner, before: state }] };
      });
    },
  };
}

/** `undefined` for an invitation, and for the link that nobody got because there is no such account. */
async function confirmationOf(
  { id, purpose, accountId, address, creationDate, expires }: PersonLink,
  accounts: Pick<AccountStore, 'findById'>,
): Promise<Confirmation | undefined> {
  if (purpose === 'invitation' || (accountId === undefined && address === '')) return undefined;
  const account = accountId === undefined ? undefined : await accounts.findById(accountId);
  const of = account && { id: account.id, username: account.username };
  return { id, purpose, account: of, address, creationDate, expires };
}

function noSuchConfirmation(): OAuthError {
  return new OAuthError('not_found', {
    description: 'There is no such pending confirmation. It was used or ended, or it has expired.',
  });
}
