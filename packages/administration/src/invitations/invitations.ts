import {
  type AccountRegistrationSetting,
  checkLabels,
  type Invitation,
  invitationOf,
  newInvitation,
} from '@watchword/accounts';
import {
  accountClaimFields,
  checkFields,
  type MalformedField,
  noAccountClaims,
  OAuthError,
  type PersonLink,
  type PersonLinkStore,
  type SendMail,
  textProblems,
  Violations,
} from '@watchword/protocol';
import { requireAccountAccess, requirePasskeys } from '../accounts/account-rules.ts';
import type { Caller } from '../callers/caller.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { type Page, type PageRequest, readPage } from '../lists/page.ts';

/** An invitation that is neither accepted nor withdrawn. */
export interface ListedInvitation extends Invitation, Pick<PersonLink, 'id' | 'creationDate' | 'expires'> {}

export interface NewInvitation extends Omit<Invitation, 'invitedBy' | 'mailed'> {
  /** Seconds for which the link is valid; 0: a week. */
  readonly lifetime: number;
}

/** Invitations to make a local account. Administrators alone can use them, and clients with the right to accounts. */
export interface InvitationAdministration {
  /** In the order in which they were made. */
  list(caller: Caller, page: PageRequest<string>): Promise<Page<ListedInvitation, string>>;
  /**
   * Mails the invitation if it has an address and mail is set up. The link is answered otherwise alone, so that who has it proves the address.
   *
   * @throws OAuthError `conflict` if the server makes no account of an invitation, `invalid_request` with every violation
   */
  create(
    caller: Caller,
    given: NewInvitation,
    malformed: readonly MalformedField[],
  ): Promise<ListedInvitation & { readonly link?: string }>;
  /** @throws OAuthError `not_found` when it was accepted, withdrawn, or has expired */
  revoke(caller: Caller, id: string): Promise<void>;
}

type Dependencies = Pick<
  AdministrationDependencies,
  'transact' | 'clock' | 'random' | 'audited' | 'ownerLimits'
> & {
  readonly personLinks: Pick<PersonLinkStore, 'list'>;
  readonly hasLocalLogin: boolean;
  /** Default: browsers allow passkeys at the address of this server. */
  readonly hasPasskeys?: boolean;
  /** The setting `registration`. */
  readonly accountRegistration: AccountRegistrationSetting;
  /** Absent: no mail is set up. It can write to the store: not to be called in a transaction. */
  readonly openSendMail?: (() => Promise<SendMail>) | undefined;
  /** The path below the base URL of the page on which an invited person makes an account. @param value of the invitation */
  invitationPath(value: string): string;
};

// Seconds.
const week = 7 * 86_400;
const maxNoteLength = 255;

export function invitationAdministration(deps: Dependencies): InvitationAdministration {
  const { clock, personLinks, random } = deps;
  const requireAccess = (caller: Caller) => requireAccountAccess(caller, deps.hasLocalLogin);
  return {
    async list(caller, page) {
      requireAccess(caller);
      const now = clock.now();
      return readPage(page, {
        fetch: (after, limit) => personLinks.list({ purpose: 'invitation', after, limit }),
        positionOf: ({ id }) => id,
        pick: (link) => (link.expires > now ? listed(link) : undefined),
      });
    },

    async create(caller, { lifetime, ...given }, malformed) {
      requireAccess(caller);
      if (deps.accountRegistration === 'off') throw noInvitations();
      requirePasskeys(given.passkey, deps);
      check(given, new Violations(malformed));
      const now = clock.now();
      const expires = now + (lifetime || week) * 1000;
      const sendMail = given.email === '' ? undefined : await deps.openSendMail?.();
      const mailed = sendMail !== undefined;
      const invitation = { ...given, mailed, invitedBy: caller.identity.name };
      const { value, stored } = newInvitation(invitation, { now, expires }, random);
      return changeRecords(caller, deps, async (stores) => {
        await stores.personLinks.create(stored);
        const values = { path: deps.invitationPath(value), expires };
        await sendMail?.(
          { kind: 'invitation', to: given.email, language: given.locale || undefined, values },
          stores,
        );
        const { invitedBy, ...after } = listed(stored);
        return {
          value: { ...after, invitedBy, ...(!mailed && { link: value }) },
          changes: [{ action: 'create', ...ofInvitation(caller, stored), after: { ...after } }],
        };
      });
    },

    async revoke(caller, id) {
      requireAccess(caller);
      await changeRecords(caller, deps, async (stores) => {
        const link = await stores.personLinks.find(id, clock.now());
        const isOne = link?.purpose === 'invitation';
        if (!isOne || !(await stores.personLinks.redeem(id, clock.now()))) throw noSuchInvitation();
        return {
          value: undefined,
          changes: [{ action: 'delete', ...ofInvitation(caller, link), before: { ...listed(link) } }],
        };
      });
    },
  };
}

function listed(link: PersonLink): ListedInvitation {
  const { id, creationDate, expires } = link;
  return { ...invitationOf(link), id, creationDate, expires };
}

function check(
  { email, locale, groups, roles, note }: Omit<NewInvitation, 'lifetime'>,
  violations: Violations,
): void {
  const claims = { ...noAccountClaims, email, locale };
  checkFields(accountClaimFields, claims, { before: undefined, scopeSyntax: undefined }, violations);
  checkLabels('groups', groups, violations);
  checkLabels('roles', roles, violations);
  violations.addAll('note', note === '' ? [] : textProblems(note, maxNoteLength), note);
  violations.throwIfAny();
}

/** It belongs to the one who invited: nobody has the account yet. */
function ofInvitation({ identity }: Caller, { id, address }: PersonLink) {
  return { recordType: 'invitation', recordId: id, recordName: address || id, owner: identity } as const;
}

function noInvitations(): OAuthError {
  return new OAuthError('conflict', {
    description:
      'This server makes no account of an invitation: its setting registration is off. The operator of the server sets registration to invitation or open.',
  });
}

function noSuchInvitation(): OAuthError {
  return new OAuthError('not_found', {
    description: 'There is no such invitation. It was accepted or withdrawn, or it has expired.',
  });
}
