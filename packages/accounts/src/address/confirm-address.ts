import {
  type Account,
  type AuthState,
  AuthStates,
  accountIdentityProvider,
  accountPrincipal,
  type Browser,
  isSameAddress,
  type LoginSession,
  loginEvent,
  OAuthError,
  type SessionLink,
  type TransactionStores,
} from '@watchword/protocol';
import { invalidLink, MailedLinks, type OpenedLink } from '../mailed-links.ts';
import type { MailDependencies, PasswordDependencies } from '../passwords/password-pages.ts';
import type { AddressEndpoint, AddressIsChanged, AddressView } from './address-pages.ts';

/** What a mailed link has with it. */
interface AddressData {
  /** Of the account when the link was asked for: any change since then ends the link. */
  readonly revision: number;
}

type Opened = OpenedLink<AddressData>;

const stages = { ask: 'address', sent: 'addressMailed', confirm: 'addressLink' } as const;

/** What the pages of a changed address are made of. */
export function addressParts(deps: PasswordDependencies) {
  const authStates = new AuthStates(deps);
  return {
    authStates,
    links: new MailedLinks<AddressData>(deps, 'change_address'),
    page(
      step: AddressView['step'],
      state: AuthState,
      browser: Browser,
      more: Partial<AddressView>,
    ): AddressView {
      return { step, ...authStates.sealPage(stages[step], state, browser), ...more };
    },
  };
}

/** The pages that take the link of a mail, or its code. */
export function confirmAddress(
  deps: PasswordDependencies,
  mail: MailDependencies,
): Pick<AddressEndpoint, 'enterCode' | 'showLink' | 'confirm'> {
  const { authStates, links, page } = addressParts(deps);
  const asked = async (opened: Opened, browser: Browser, more: Partial<AddressView> = {}) => {
    const { id: personLink, address } = opened.link;
    const account = await accountOfLink(opened, deps);
    return page('confirm', { personLink }, browser, { account, address, ...more });
  };

  return {
    async enterCode(submission, browser) {
      const { state, isLate } = await authStates.openLate('addressMailed', submission, browser);
      const found = await links.ofCode({ state, isLate }, submission, browser);
      return 'link' in found
        ? redeem(found, browser, deps, mail)
        : page('sent', { links: state.links ?? [] }, browser, found);
    },

    async showLink(value, browser) {
      const opened = await links.open(value, browser);
      if (opened === undefined) throw invalidLink('change_address');
      return asked(opened, browser);
    },

    async confirm(submission, browser) {
      const { state, isLate } = await authStates.openLate('addressLink', submission, browser);
      const opened = await links.ofPage(state.personLink ?? '', browser);
      if (opened === undefined) throw invalidLink('change_address');
      return isLate ? asked(opened, browser, { isLate }) : redeem(opened, browser, deps, mail);
    },
  };
}

/** @throws OAuthError `invalid_reset_link` */
async function redeem(
  opened: Opened,
  browser: Browser,
  deps: PasswordDependencies,
  mail: MailDependencies,
): Promise<AddressIsChanged> {
  const { authenticators, clock, sessions, transact } = deps;
  const session = await sessions.current(browser, authenticators);
  const link = session && (await sessions.linkOf(session));
  const { account, event } = await transact(async (stores) => {
    if (!(await stores.personLinks.redeem(opened.link.id, clock.now()))) {
      throw invalidLink('change_address');
    }
    const before = await accountOfLink(opened, stores);
    const account = { ...before, email: opened.link.address, emailVerified: true };
    const { email, emailVerified, username } = account;
    await stores.accounts.update(username, { email, emailVerified }, clock.now());
    // Those for a forgotten password were mailed to the former address.
    await stores.personLinks.endOfAccount(account.id);
    await tell(before, email, browser, stores);
    const event = addressEvent(before, email, browser, deps);
    await stores.auditEvents.append([event]);
    return { account, event };
  });
  deps.audited?.(event);
  return {
    cookies: isOf(session, account) ? { session: await goOn(session, link, account, browser, deps) } : {},
  };

  async function tell(
    { displayName: name, email: to, locale }: Account,
    address: string,
    { language }: Browser,
    stores: TransactionStores,
  ): Promise<void> {
    if (to === '' || isSameAddress(to, address)) return;
    const values = { name, address, time: clock.now() };
    await mail.send({ kind: 'address_changed', to, language: locale || language, values }, stores);
  }
}

/**
 * The login of this browser, in a new session that knows the new address. It is as old as before.
 *
 * @param link of the former session, to that at a provider which is linked
 */
async function goOn(
  former: LoginSession,
  link: SessionLink | undefined,
  account: Account,
  browser: Browser,
  deps: PasswordDependencies,
): Promise<string> {
  const { sessions } = deps;
  const { authentication, authenticator } = former;
  const binding = new AuthStates(deps).bindingOf(browser);
  const { acr, amr, level, authenticatedAt, claims } = authentication;
  const login = {
    principal: accountPrincipal(account),
    stableId: account.id,
    identityProvider: accountIdentityProvider,
    authenticatedAt,
    ...(acr !== undefined && { acr }),
    ...(level !== undefined && { level }),
    ...(amr !== undefined && { amr }),
    ...(claims !== undefined && { claims }),
    ...(link !== undefined && { link: { key: link.key, data: link.data } }),
  };
  const origin = { clientId: undefined, source: browser.source };
  const { value } = await sessions.start(login, authenticator, { ...browser, binding }, origin);
  const now = await deps.accounts.findById(account.id);
  const hasEndedThere = link !== undefined && (await sessions.linkOf(former)) === undefined;
  // Another change at the same time did not find the new session, nor did a logout at the provider.
  if (now?.revision !== account.revision + 1 || hasEndedThere) {
    await sessions.end({ binding, session: value }, origin, 'account');
    throw new OAuthError('invalid_auth_state');
  }
  return value;
}

/** The account that has not changed since the link was asked for. @throws OAuthError `invalid_reset_link` */
async function accountOfLink(
  { data, link: { accountId = '' } }: Opened,
  { accounts }: Pick<PasswordDependencies, 'accounts'>,
): Promise<Account> {
  const account = await accounts.findById(accountId);
  if (account === undefined || account.disabled || account.revision !== data.revision) {
    throw invalidLink('change_address');
  }
  return account;
}

/** Whether the session is of the user of the account, who can have logged out since. */
function isOf(session: LoginSession | undefined, { username }: Account): session is LoginSession {
  if (session === undefined) return false;
  const { identityProvider, principal } = session.owner;
  return identityProvider === accountIdentityProvider && principal.name === username;
}

function addressEvent(
  { email, emailVerified, username }: Account,
  changed: string,
  { source }: Browser,
  deps: Pick<PasswordDependencies, 'clock' | 'random'>,
) {
  const owner = { identityProvider: accountIdentityProvider, name: username };
  const record = { recordType: 'account', recordId: username, recordName: username } as const;
  const [before, after] = [
    { email, emailVerified },
    { email: changed, emailVerified: true },
  ];
  return loginEvent(
    owner,
    { clientId: undefined, source },
    { action: 'update', ...record, before, after },
    deps,
  );
}
