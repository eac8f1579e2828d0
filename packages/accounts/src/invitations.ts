import {
  AuthStates,
  type Browser,
  type BrowserCookies,
  createBearerValue,
  isSameDigest,
  type PersonLink,
  parseBearerValue,
  type Random,
  type Stage,
  type Submission,
  submitted,
} from '@watchword/protocol';
import { invalidLink, refuseLink } from './mailed-links.ts';
import { makeAccount, makeNamedAccount, type NamedAccount, nameAccount, typedNames } from './make-account.ts';
import { type FirstPasskeyDependencies, firstPasskeyPage } from './passkeys/first-passkey.ts';
import {
  type FirstPasskeyView,
  type PasskeyIsSet,
  type PasswordProblem,
  problem,
} from './passwords/password-pages.ts';

/** What the account of an invited person has from the beginning. */
export interface Invitation {
  /** E-mail address of the person; empty if it is not known. */
  readonly email: string;
  /** The link went to the address, and to nobody else: who has it reads the mail of this address. */
  readonly mailed: boolean;
  /** Language of the mail (BCP 47); empty for that of the server. */
  readonly locale: string;
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  /** The account is made with a passkey, and has no password. */
  readonly passkey: boolean;
  /** For administrators. */
  readonly note: string;
  /** The name of the administrator who invited, or of the user of the command line. */
  readonly invitedBy: string;
}

/** @returns `value`: the part of the link that proves the invitation. It is shown once and never stored */
export function newInvitation(
  invitation: Invitation,
  times: { readonly now: number; readonly expires: number },
  random: Random,
): { readonly value: string; readonly stored: PersonLink } {
  const { value, id, verifierHash } = createBearerValue('link', times.now, random);
  const stored: PersonLink = {
    id,
    purpose: 'invitation',
    digest: verifierHash,
    address: invitation.email,
    data: JSON.stringify(invitation),
    creationDate: times.now,
    expires: times.expires,
  };
  return { value, stored };
}

export function invitationOf({ data }: PersonLink): Invitation {
  // One of the release before has neither.
  return { locale: '', passkey: false, ...JSON.parse(data) };
}

/** The page on which an invited person makes an account. */
export interface InvitationView {
  readonly authState: string;
  readonly cookies: BrowserCookies;
  /** As they were typed. */
  readonly username: string;
  readonly displayName: string;
  /** A passkey is added on the next page, and the form asks for no password. */
  readonly asksPasskey?: boolean;
  readonly isLate?: boolean;
  readonly problem?: PasswordProblem | undefined;
}

export interface InvitationEndpoint {
  /**
   * The link stays valid, because link scanners open it too.
   *
   * @throws OAuthError `invalid_reset_link`, `too_many_requests`
   */
  show(link: string, browser: Browser): Promise<InvitationView>;
  /**
   * Makes the account `username` with `display_name` and `new_password`, which `new_password_again` repeats. The invitation is redeemed. Where it
   * asks for a passkey, the page of the passkey follows the names, and posts `passkey` and `name`.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`, `invalid_reset_link`, `temporarily_unavailable`
   */
  accept(
    submission: Submission,
    browser: Browser,
  ): Promise<InvitationView | FirstPasskeyView | PasskeyIsSet | { readonly cookies: BrowserCookies }>;
}

export function invitationEndpoint(deps: FirstPasskeyDependencies): InvitationEndpoint {
  const { clock, personLinks } = deps;
  const authStates = new AuthStates(deps);
  const shown = (link: PersonLink, browser: Browser, more: Partial<InvitationView> = {}): InvitationView => ({
    ...authStates.sealPage('invitation', { personLink: link.id }, browser),
    ...{ username: '', displayName: '', asksPasskey: invitationOf(link).passkey, ...more },
  });

  const answering = async (stage: Stage, submission: Submission, browser: Browser) => {
    const { state, isLate } = await authStates.openLate(stage, submission, browser);
    const link = await personLinks.find(state.personLink ?? '', clock.now());
    if (link === undefined) throw invalidLink('invitation');
    return { link, state, isLate };
  };

  const acceptNames = async (submission: Submission, browser: Browser) => {
    const { link, isLate } = await answering('invitation', submission, browser);
    const typed = typedNames(submission);
    if (isLate) return shown(link, browser, { ...typed, isLate });
    const asksPasskey = invitationOf(link).passkey;
    const make = asksPasskey ? nameAccount : makeAccount;
    const made = await make(submission, browser, permissionOf(link), deps);
    if ('message' in made) return shown(link, browser, { ...typed, problem: made });
    return 'cookies' in made ? made : passkeyPage(made, link, browser);
  };

  const passkeyPage = (
    named: NamedAccount,
    { id }: PersonLink,
    browser: Browser,
    more: Parameters<typeof firstPasskeyPage>[5] = {},
  ) => firstPasskeyPage(named, 'invitationPasskey', { personLink: id, named }, browser, deps, more);

  const acceptPasskey = async (submission: Submission, browser: Browser) => {
    const { link, state, isLate } = await answering('invitationPasskey', submission, browser);
    const { named } = state;
    if (named === undefined) throw invalidLink('invitation');
    const name = submitted(submission, 'name');
    if (isLate) return passkeyPage(named, link, browser, { name, isLate });
    const answered = { submission, state: state.moduleState, browser };
    const made = await makeNamedAccount(named, permissionOf(link), answered, deps);
    if (made === 'taken') {
      return shown(link, browser, { ...named, problem: problem({ key: 'invitation.taken' }) });
    }
    return 'problem' in made ? passkeyPage(named, link, browser, { name, ...made }) : made;
  };

  return {
    async show(value, browser) {
      const presented = parseBearerValue('link', value);
      if (presented === undefined) throw invalidLink('invitation');
      const link = await personLinks.find(presented.id, clock.now());
      const isRight = link !== undefined && isSameDigest(link.digest, presented.verifierHash);
      if (isRight && link.purpose === 'invitation') return shown(link, browser);
      return refuseLink(`invitation ${presented.id}`, browser, deps, invalidLink('invitation'));
    },

    accept: (submission, browser) =>
      submission.has('passkey') ? acceptPasskey(submission, browser) : acceptNames(submission, browser),
  };
}

function permissionOf(link: PersonLink) {
  const { email, groups, roles, mailed: emailVerified } = invitationOf(link);
  return { link, email, emailVerified, groups, roles };
}
