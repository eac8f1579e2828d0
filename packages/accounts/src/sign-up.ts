import {
  type AuthState,
  AuthStates,
  type Browser,
  type Mail,
  parseBearerValue,
  type Submission,
  submitted,
} from '@watchword/protocol';
import { canBeConfirmed } from './account-rules.ts';
import { askedEvent } from './confirmations.ts';
import type { InvitationView } from './invitations.ts';
import { invalidLink, MailedLinks, type NewLink, type OpenedLink, refuseLink } from './mailed-links.ts';
import { makeAccount, typedNames } from './make-account.ts';
import { askedPage, type ForgottenView } from './passwords/forgotten-password.ts';
import {
  type MailDependencies,
  type PasswordDependencies,
  type PasswordProblem,
  problem,
  waiting,
} from './passwords/password-pages.ts';

/** Who can make an account. */
export interface SignUpRules {
  /** In small letters; empty for all. */
  readonly domains: readonly string[];
}

/** The page that asks for an address, and the one that takes the code of the mail. */
export type SignUpView = ForgottenView;

/** The page on which the account is made, once the address is confirmed. */
export interface NewAccountView extends InvitationView {
  readonly address: string;
}

interface AccountIsMade extends Pick<InvitationView, 'cookies'> {
  /** The `auth_state` with which `startAgain` goes on with the login in which the account was missing. */
  readonly goOn?: string | undefined;
}

/** The pages with which people make an account by themselves. There is none before its address is confirmed. */
export interface SignUpEndpoint {
  /** @param submission of a login page, whose request goes on afterwards; without `auth_state` it comes from nowhere */
  showSignUp(submission: Submission, browser: Browser): Promise<SignUpView>;
  /**
   * Mails a link to the address `email`, or tells its owner that it has an account. The answer is the same.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`
   */
  ask(submission: Submission, browser: Browser): Promise<SignUpView>;
  /** The page for the account, if `code` is that of the mail. @throws OAuthError `unbound_submission`, `invalid_auth_state` */
  enterCode(submission: Submission, browser: Browser): Promise<SignUpView | NewAccountView>;
  /** The page of a mailed link, which stays valid. @throws OAuthError `invalid_reset_link`, `too_many_requests` */
  open(link: string, browser: Browser): Promise<NewAccountView>;
  /**
   * Makes the account `username` with `display_name` and `new_password`, which `new_password_again` repeats. The link is redeemed.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`, `invalid_reset_link`, `temporarily_unavailable`
   */
  make(submission: Submission, browser: Browser): Promise<NewAccountView | AccountIsMade>;
}

interface SignUpData {
  /** The sealed request of the login that goes on afterwards. */
  readonly goOn?: string;
}

/** @param mail how mails are sent */
export function signUpEndpoint(
  deps: PasswordDependencies,
  mail: MailDependencies,
  rules: SignUpRules,
): SignUpEndpoint {
  return { ...asking(deps, mail, rules), ...making(deps) };
}

function asking(
  deps: PasswordDependencies,
  mail: MailDependencies,
  rules: SignUpRules,
): Pick<SignUpEndpoint, 'showSignUp' | 'ask' | 'enterCode'> {
  const authStates = new AuthStates(deps);
  const shown = askedPage('signUp', 'signUpMailed', authStates);

  return {
    async showSignUp(submission, browser) {
      if (submitted(submission, 'auth_state') === '') return shown({}, browser);
      const { state } = await authStates.openLate('login', submission, browser);
      return shown({ request: state.request }, browser);
    },

    async ask(submission, browser) {
      const { state, isLate } = await authStates.openLate('signUp', submission, browser);
      if (isLate) return shown(state, browser, { isLate });
      const address = submitted(submission, 'email').trim();
      const wrong = addressProblem(address, rules, mail);
      if (wrong !== undefined) return shown(state, browser, { problem: wrong });
      const wait = await mail.limits.wait(address.toLowerCase(), browser.source);
      if (wait > 0) return shown(state, browser, { problem: waiting(wait) });
      return shown({ ...state, links: [await mailLink(address, state, browser, deps, mail)] }, browser);
    },

    async enterCode(submission, browser) {
      const page = await authStates.openLate('signUpMailed', submission, browser);
      const found = await signUpLinks(deps).ofCode(page, submission, browser);
      return 'link' in found ? formOf(found, browser, deps) : shown(page.state, browser, found);
    },
  };
}

function making(deps: PasswordDependencies): Pick<SignUpEndpoint, 'open' | 'make'> {
  const authStates = new AuthStates(deps);
  const links = signUpLinks(deps);
  return {
    async open(value, browser) {
      const presented = parseBearerValue('link', value);
      if (presented === undefined) throw invalidLink('sign_up');
      const opened = await links.open(value, browser);
      if (opened !== undefined) return formOf(opened, browser, deps);
      return refuseLink(`sign-up link ${presented.id}`, browser, deps);
    },

    async make(submission, browser) {
      const { state, isLate } = await authStates.openLate('newAccount', submission, browser);
      const opened = await links.ofPage(state.personLink ?? '', browser);
      if (opened === undefined) throw invalidLink('sign_up');
      const typed = typedNames(submission);
      if (isLate) return formOf(opened, browser, deps, { ...typed, isLate });
      const { data, link } = opened;
      const permission = { link, email: link.address, emailVerified: true, groups: [], roles: [] };
      const made = await makeAccount(submission, browser, permission, deps);
      if (!('cookies' in made)) return formOf(opened, browser, deps, { ...typed, problem: made });
      return { ...made, goOn: data.goOn };
    },
  };
}

function signUpLinks(deps: PasswordDependencies): MailedLinks<SignUpData> {
  return new MailedLinks(deps, 'sign_up');
}

function formOf(
  { link }: OpenedLink<SignUpData>,
  browser: Browser,
  deps: PasswordDependencies,
  more: Partial<NewAccountView> = {},
): NewAccountView {
  const page = new AuthStates(deps).sealPage('newAccount', { personLink: link.id }, browser);
  return { ...page, address: link.address, username: '', displayName: '', ...more };
}

/** Stores a link and a mail, whether the address has an account or not, so that both take the same time. Resolves with the id of the link. */
async function mailLink(
  address: string,
  { request }: AuthState,
  browser: Browser,
  deps: PasswordDependencies,
  { limits, send }: MailDependencies,
): Promise<string> {
  const authStates = new AuthStates(deps);
  const binding = authStates.bindingOf(browser);
  const [owner] = await deps.accounts.listByEmail(address, 1);
  const isAllowed = await limits.allows(`sign-up ${address.toLowerCase()}`, browser);
  const goOn = request && authStates.seal('again', { request }, binding);
  // Nobody learns the code of a link to nobody.
  const link = signUpLinks(deps).make({
    address: owner === undefined && isAllowed ? address : '',
    ...{ binding, data: goOn === undefined ? {} : { goOn } },
  });
  const language = owner?.locale || browser.language;
  const mail: Mail =
    owner === undefined
      ? { kind: 'confirm_address', to: address, language, values: valuesOf(link) }
      : {
          kind: 'address_taken',
          accountId: owner.id,
          to: owner.email,
          language,
          values: { name: owner.username, path: '/account/forgotten-password' },
        };
  // The same for every address.
  const event = askedEvent({ ...link.stored, address }, {}, browser, deps);
  await deps.transact(async (stores) => {
    await stores.personLinks.create(link.stored);
    await stores.auditEvents.append([event]);
    if (isAllowed) await send(mail, stores);
  });
  deps.audited?.(event);
  return link.stored.id;
}

function valuesOf({ value, code, stored }: NewLink) {
  return { path: `/account/sign-up/account?link=${value}`, code, expires: stored.expires };
}

function addressProblem(
  address: string,
  { domains }: SignUpRules,
  mail: MailDependencies,
): PasswordProblem | undefined {
  if (!canBeConfirmed(address, mail)) return problem({ key: 'sign-up.address' });
  const domain = address.slice(address.indexOf('@') + 1).toLowerCase();
  if (domains.length === 0 || domains.includes(domain)) return undefined;
  return problem({ key: 'sign-up.domain', values: { domains: domains.join(', ') } });
}
