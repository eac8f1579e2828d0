import {
  type Account,
  type Browser,
  isSameAddress,
  type LoginSession,
  type Submission,
  submitted,
} from '@watchword/protocol';
import { canBeConfirmed } from '../account-rules.ts';
import { askedEvent } from '../confirmations.ts';
import type { NewLink } from '../mailed-links.ts';
import { accountOf, checkOwner, mustLogIn } from '../passwords/change-password.ts';
import {
  type MailDependencies,
  type PasswordDependencies,
  type PasswordProblem,
  problem,
  waiting,
} from '../passwords/password-pages.ts';
import type { AddressEndpoint, AddressView } from './address-pages.ts';
import { addressParts, confirmAddress } from './confirm-address.ts';

/** @param mail how mails are sent */
export function addressEndpoint(deps: PasswordDependencies, mail: MailDependencies): AddressEndpoint {
  return { ...askForAddress(deps, mail), ...confirmAddress(deps, mail) };
}

function askForAddress(
  deps: PasswordDependencies,
  mail: MailDependencies,
): Pick<AddressEndpoint, 'show' | 'ask'> {
  const { authenticators, sessions } = deps;
  const { limits, send } = mail;
  const { authStates, links, page } = addressParts(deps);
  const asking = (
    account: Account,
    { id }: LoginSession,
    browser: Browser,
    more: Partial<AddressView> = {},
  ): AddressView => page('ask', { sessionId: id }, browser, { account, ...more });

  return {
    async show(browser) {
      const session = await sessions.current(browser, authenticators);
      if (session === undefined) return undefined;
      const account = await accountOf(session, deps);
      return asking(account, session, browser, { mustLogIn: mustLogIn(account, session, deps) });
    },

    async ask(submission, browser) {
      const { state, isLate } = await authStates.openLate('address', submission, browser);
      const session = await sessions.current(browser, authenticators);
      if (session === undefined) return undefined;
      const account = await accountOf(session, deps);
      if (isLate || session.id !== state.sessionId) {
        return asking(account, session, browser, { isLate: true });
      }
      const address = submitted(submission, 'address').trim();
      const found = await problemOf(address, account, session, submission, browser);
      if (found !== undefined) return asking(account, session, browser, { address, problem: found });
      const { stored } = await mailLink(address, account, browser);
      return page('sent', { links: [stored.id] }, browser, {});
    },
  };

  async function problemOf(
    address: string,
    account: Account,
    session: LoginSession,
    submission: Submission,
    browser: Browser,
  ): Promise<PasswordProblem | undefined> {
    if (!canBeConfirmed(address, mail) || (account.emailVerified && isSameAddress(account.email, address))) {
      return problem({ key: 'address.wrong' });
    }
    const ofOwner = await checkOwner(account, session, submission, browser, deps);
    if (ofOwner !== undefined) return ofOwner;
    const wait = await limits.wait(address.toLowerCase(), browser.source);
    if (wait > 0) return waiting(wait);
    const isAllowed = await limits.allows(account, browser);
    return isAllowed ? undefined : { message: { key: 'address.tooOften' }, status: 429 };
  }

  async function mailLink(address: string, account: Account, browser: Browser): Promise<NewLink> {
    const { id: accountId, locale, revision } = account;
    const binding = authStates.bindingOf(browser);
    const made = links.make({ accountId, address, binding, data: { revision } });
    const { value, code, stored } = made;
    const values = { path: `/account/address/confirm?link=${value}`, code, expires: stored.expires };
    const event = askedEvent(stored, { username: account.username, isLoggedIn: true }, browser, deps);
    await deps.transact(async (stores) => {
      await stores.personLinks.create(stored);
      await stores.auditEvents.append([event]);
      const language = locale || browser.language;
      await send({ kind: 'confirm_address', accountId, to: address, language, values }, stores);
    });
    deps.audited?.(event);
    return made;
  }
}
