import {
  type Account,
  type AuthorizationRequest,
  type AuthState,
  AuthStates,
  type Browser,
  type BrowserCookies,
  type Stage,
  type Submission,
  submitted,
  timeOrderedId,
} from '@watchword/protocol';
import { askedEvent } from '../confirmations.ts';
import type { NewLink } from '../mailed-links.ts';
import { needsOfMailedPassword } from './mailed-password.ts';
import {
  type MailDependencies,
  type PasswordDependencies,
  type PasswordProblem,
  type PasswordView,
  problem,
  waiting,
} from './password-pages.ts';
import { resetLinks, shownForLink } from './set-password.ts';

/** The page that asks whose password is forgotten. */
export interface ForgottenView {
  readonly authState: string;
  readonly cookies: BrowserCookies;
  /** The mail is on its way, if there is such an account: the page takes the code of the mail. */
  readonly isSent: boolean;
  /** The page had been open for too long. Nothing was done. */
  readonly isLate?: boolean;
  readonly problem?: PasswordProblem;
  /** Of the login that goes on afterwards; absent where no client asks. */
  readonly request?: AuthorizationRequest | undefined;
}

/** @param asking the stage of the page that asks to whom a mail goes, and `sent` that of the page that takes its code */
export function askedPage(asking: Stage, sent: Stage, authStates: AuthStates) {
  return (state: AuthState, browser: Browser, more: Partial<ForgottenView> = {}): ForgottenView => {
    const isSent = state.links !== undefined;
    const page = authStates.sealPage(isSent ? sent : asking, state, browser);
    return { ...page, isSent, request: state.request, ...more };
  };
}

/** The pages with which people who have forgotten a password get a mail with a link. */
export interface ForgottenPasswordEndpoint {
  /** @param submission of a login page, whose request goes on afterwards; without `auth_state` it comes from nowhere */
  showForgotten(submission: Submission, browser: Browser): Promise<ForgottenView>;
  /**
   * Mails a link to the account that `identifier` names by its username or e-mail address. The answer is the same if there is none.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`
   */
  ask(submission: Submission, browser: Browser): Promise<ForgottenView>;
  /**
   * The page for a new password, if `code` is that of the mail; otherwise the page again.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`
   */
  enterCode(submission: Submission, browser: Browser): Promise<ForgottenView | PasswordView>;
}

/** Accounts of one address that get a mail: a family, or the accounts of one administrator. */
const maxAccounts = 3;
const maxIdentifierLength = 255;

/** @param mail how mails are sent */
export function forgottenPassword(
  deps: PasswordDependencies,
  { send, limits }: MailDependencies,
): ForgottenPasswordEndpoint {
  const authStates = new AuthStates(deps);
  const links = resetLinks(deps);
  const shown = askedPage('forgotten', 'mailed', authStates);

  return {
    async showForgotten(submission, browser) {
      if (submitted(submission, 'auth_state') === '') return shown({}, browser);
      const { state } = await authStates.openLate('login', submission, browser);
      return shown({ request: state.request }, browser);
    },

    async ask(submission, browser) {
      const { state, isLate } = await authStates.openLate('forgotten', submission, browser);
      if (isLate) return shown(state, browser, { isLate });
      const typed = submitted(submission, 'identifier').trim();
      if (typed === '' || typed.length > maxIdentifierLength || !typed.isWellFormed()) {
        return shown(state, browser, { problem: problem({ key: 'forgotten.empty' }) });
      }
      const wait = await limits.wait(typed.toLowerCase(), browser.source);
      if (wait > 0) return shown(state, browser, { problem: waiting(wait) });
      const mailed = await mailLinks(await accountsOf(typed, deps), typed, state, browser);
      return shown({ ...state, links: mailed }, browser);
    },

    async enterCode(submission, browser) {
      const page = await authStates.openLate('mailed', submission, browser);
      const found = await links.ofCode(page, submission, browser);
      return 'link' in found ? shownForLink(found, browser, deps) : shown(page.state, browser, found);
    },
  };

  /** Stores a link for each account, or one for nobody, so that both take the same time. Resolves with their ids, and others. */
  async function mailLinks(
    accounts: readonly Account[],
    typed: string,
    { request }: AuthState,
    browser: Browser,
  ): Promise<readonly string[]> {
    const binding = authStates.bindingOf(browser);
    const goOn = request && authStates.seal('again', { request }, binding);
    const made = await Promise.all(
      (accounts.length > 0 ? accounts : [undefined]).map(async (account): Promise<MadeLink> => {
        const mailed = (await limits.allows(account ?? typed, browser)) ? account : undefined;
        const isPermitted = (await needsOfMailedPassword(mailed, deps)) !== 'never';
        const isGiven = mailed !== undefined && isPermitted;
        const data = goOn === undefined ? {} : { goOn };
        const of = { binding, data, ...(isGiven && { accountId: mailed.id }) };
        const link = links.make({ ...of, address: isGiven ? mailed.email : '' });
        return { account: mailed, isGiven, link, spare: () => links.make({ ...of, address: '' }) };
      }),
    );
    await store(made, browser, send, deps);
    // As many ids as a name and an address can have accounts: the length of the page must not tell how many it has.
    const others = Array.from({ length: maxAccounts + 1 - made.length }, () =>
      timeOrderedId(deps.clock.now(), deps.random),
    );
    return [...made.map(({ link }) => link.stored.id), ...others];
  }
}

interface MadeLink {
  /** `undefined` if nobody gets the mail. */
  readonly account: Account | undefined;
  /** Else the account gets no password by mail, and the mail says so. */
  readonly isGiven: boolean;
  readonly link: NewLink;
  /** A row for nobody, which takes the time of the mail. */
  readonly spare: () => NewLink;
}

/** Each with its audit event: also a link for nobody, so that it takes the same time. */
async function store(
  made: readonly MadeLink[],
  browser: Browser,
  send: MailDependencies['send'],
  deps: PasswordDependencies,
): Promise<void> {
  const events = made.map(({ account, link }) =>
    askedEvent(link.stored, { username: account?.username }, browser, deps),
  );
  await deps.transact(async (stores) => {
    for (const { account, isGiven, link, spare } of made) {
      await stores.personLinks.create(link.stored);
      if (account === undefined) await stores.personLinks.create(spare().stored);
      else await send(isGiven ? mailOf(account, link, browser) : mailOfNone(account, browser), stores);
    }
    await stores.auditEvents.append(events);
  });
  for (const event of events) deps.audited?.(event);
}

function mailOf(
  { id: accountId, email, displayName, locale }: Account,
  { value, code, stored }: NewLink,
  { language }: Browser,
) {
  return {
    kind: 'reset_password',
    accountId,
    to: email,
    language: locale || language,
    values: { name: displayName, path: `/account/set-password?link=${value}`, code, expires: stored.expires },
  } as const;
}

function mailOfNone({ id: accountId, email: to, displayName, locale }: Account, { language }: Browser) {
  const values = { name: displayName, path: '/account' };
  return { kind: 'no_password', accountId, to, language: locale || language, values } as const;
}

/**
 * The account of this name, and those of this address: a person who chose the address of another one as a username must not keep the
 * mail from its owner. Each gets a mail at its own address.
 */
async function accountsOf(
  typed: string,
  { accounts }: Pick<PasswordDependencies, 'accounts'>,
): Promise<readonly Account[]> {
  const [named, ofAddress] = await Promise.all([
    accounts.find(typed),
    accounts.listByEmail(typed, maxAccounts),
  ]);
  const others = ofAddress.filter(({ id }) => id !== named?.id);
  const found = named === undefined ? others : [named, ...others];
  return found.filter(({ disabled, email }) => !disabled && email !== '');
}
