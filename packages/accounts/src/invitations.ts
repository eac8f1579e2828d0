import {
  AuthStates,
  type Browser,
  type BrowserCookies,
  createBearerValue,
  isSameDigest,
  type PersonLink,
  parseBearerValue,
  type Random,
  type Submission,
} from '@watchword/protocol';
import { invalidLink, refuseLink } from './mailed-links.ts';
import { makeAccount, typedNames } from './make-account.ts';
import type { PasswordDependencies, PasswordProblem } from './passwords/password-pages.ts';

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
  // One of the release before has no language.
  return { locale: '', ...JSON.parse(data) };
}

/** The page on which an invited person makes an account. */
export interface InvitationView {
  readonly authState: string;
  readonly cookies: BrowserCookies;
  /** As they were typed. */
  readonly username: string;
  readonly displayName: string;
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
   * Makes the account `username` with `display_name` and `new_password`, which `new_password_again` repeats. The invitation is redeemed.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`, `invalid_reset_link`, `temporarily_unavailable`
   */
  accept(
    submission: Submission,
    browser: Browser,
  ): Promise<InvitationView | { readonly cookies: BrowserCookies }>;
}

export function invitationEndpoint(deps: PasswordDependencies): InvitationEndpoint {
  const { clock, personLinks } = deps;
  const authStates = new AuthStates(deps);
  const shown = (id: string, browser: Browser, more: Partial<InvitationView> = {}): InvitationView => ({
    ...authStates.sealPage('invitation', { personLink: id }, browser),
    ...{ username: '', displayName: '', ...more },
  });

  return {
    async show(value, browser) {
      const presented = parseBearerValue('link', value);
      if (presented === undefined) throw invalidLink('invitation');
      const link = await personLinks.find(presented.id, clock.now());
      const isRight = link !== undefined && isSameDigest(link.digest, presented.verifierHash);
      if (isRight && link.purpose === 'invitation') return shown(link.id, browser);
      return refuseLink(`invitation ${presented.id}`, browser, deps, invalidLink('invitation'));
    },

    async accept(submission, browser) {
      const { state, isLate } = await authStates.openLate('invitation', submission, browser);
      const link = await personLinks.find(state.personLink ?? '', clock.now());
      if (link === undefined) throw invalidLink('invitation');
      const typed = typedNames(submission);
      if (isLate) return shown(link.id, browser, { ...typed, isLate });
      const { email, groups, roles, mailed: emailVerified } = invitationOf(link);
      const permission = { link, email, emailVerified, groups, roles };
      const made = await makeAccount(submission, browser, permission, deps);
      return 'cookies' in made ? made : shown(link.id, browser, { ...typed, problem: made });
    },
  };
}
