import {
  type Account,
  AuthStates,
  accountIdentityProvider,
  type Browser,
  type LoginSession,
  OAuthError,
  type Submission,
  submitted,
  type TransactionStores,
} from '@watchword/protocol';
import { attemptedAccount, hasJustLoggedIn } from '../account-rules.ts';
import { leastCharactersOf, mailNewPassword, newPasswordOf, passwordEvent } from './new-password.ts';
import {
  type PasswordDependencies,
  type PasswordEndpoint,
  type PasswordIsSet,
  type PasswordProblem,
  type PasswordView,
  waiting,
} from './password-pages.ts';

/** The page on which a user who knows the password replaces it. */
export function changePassword(deps: PasswordDependencies): Pick<PasswordEndpoint, 'showChange' | 'change'> {
  const { accounts, authenticators, sessions } = deps;
  const authStates = new AuthStates(deps);
  const shown = async (
    account: Account,
    session: LoginSession,
    browser: Browser,
    endsGrants: boolean,
  ): Promise<PasswordView> => {
    const page = authStates.sealPage('password', { sessionId: session.id }, browser);
    const isFirst = account.passwordHash === undefined;
    const leastCharacters = await leastCharactersOf(account, deps);
    const view = { account, leastCharacters, endsGrants, isFirst, ...page };
    return { ...view, mustLogIn: mustLogIn(account, session, deps) };
  };

  return {
    async showChange(browser) {
      const session = await sessions.current(browser, authenticators);
      if (session === undefined) return undefined;
      return shown(await accountOf(session, deps), session, browser, true);
    },

    async change(submission, browser) {
      const { state, isLate } = await authStates.openLate('password', submission, browser);
      const session = await sessions.current(browser, authenticators);
      if (session === undefined) return undefined;
      const account = await accountOf(session, deps);
      const isFirst = account.passwordHash === undefined;
      const endsGrants = !isFirst && submitted(submission, 'end_grants') !== '';
      if (isLate || session.id !== state.sessionId) {
        return { ...(await shown(account, session, browser, endsGrants)), isLate: true };
      }
      const password = await newPasswordOf(account, submission, deps);
      const problem =
        typeof password === 'string'
          ? await checkOwner(account, session, submission, browser, deps)
          : password;
      if (typeof password !== 'string' || problem !== undefined) {
        return { ...(await shown(account, session, browser, endsGrants)), ...(problem && { problem }) };
      }
      const passwordHash = await deps.passwords.hash(password);
      await replace(account, { passwordHash, endsGrants }, browser, deps);
      if (isFirst) return { isFirst, cookies: { device: remembered(account, browser, deps) } };
      return { ...(await goOn(session, { ...account, passwordHash }, browser)), endedGrants: endsGrants };
    },
  };

  /** The session goes on under a new id. The account can change at the same time, as during a login. */
  async function goOn(
    { owner, authentication }: LoginSession,
    account: Account,
    browser: Browser,
  ): Promise<PasswordIsSet> {
    const binding = authStates.bindingOf(browser);
    const identity = { principal: owner.principal, stableId: account.id };
    const login = { ...identity, ...loginOf(authentication) };
    const origin = { clientId: undefined, source: browser.source };
    const { value } = await sessions.start(login, accountIdentityProvider, { ...browser, binding }, origin);
    if (!isSame(await accounts.find(account.username), account)) {
      await sessions.end({ binding, session: value }, origin, 'account');
      throw new OAuthError('invalid_auth_state');
    }
    const device = remembered(account, browser, deps);
    return { cookies: { session: value, device, ...(binding !== browser.binding && { binding }) } };
  }
}

export function remembered(
  account: Account,
  { device }: Browser,
  { loginAttempts }: Pick<PasswordDependencies, 'loginAttempts'>,
): string {
  return loginAttempts.remember(attemptedAccount(account.username, account), device);
}

/** The session can have begun at a provider that is linked; it is one of the password now, and of the further factors that were proved. */
function loginOf({ level, acr, amr = [], authenticatedAt }: LoginSession['authentication']) {
  if (level === undefined) return { amr: ['pwd'] };
  const methods = [...new Set(['pwd', ...amr])];
  return { amr: methods, level, authenticatedAt, ...(acr !== undefined && { acr }) };
}

/** @throws OAuthError `access_denied` for a user of another identity provider; `invalid_auth_state` */
export async function accountOf(
  { owner }: LoginSession,
  { accounts }: PasswordDependencies,
): Promise<Account> {
  if (owner.identityProvider !== accountIdentityProvider) {
    throw new OAuthError('access_denied', { rule: 'own_password', text: { key: 'error.foreign_password' } });
  }
  const account = await accounts.find(owner.principal.name);
  if (account === undefined || account.disabled) throw new OAuthError('invalid_auth_state');
  return account;
}

/** Whether the user must log in once more, at a provider that is linked: there is no password here to ask for. */
export function mustLogIn(
  { passwordHash }: Account,
  session: LoginSession,
  { clock }: Pick<PasswordDependencies, 'clock'>,
): boolean {
  return passwordHash === undefined && !hasJustLoggedIn(session, clock.now());
}

/** Resolves with what is wrong if the user does not know the current password, or has none and must log in. */
export async function checkOwner(
  account: Account,
  session: LoginSession,
  submission: Submission,
  browser: Browser,
  deps: PasswordDependencies,
): Promise<PasswordProblem | undefined> {
  if (account.passwordHash !== undefined) return checkCurrent(account, submission, browser, deps);
  return mustLogIn(account, session, deps)
    ? { message: { key: 'again.ownAccount' }, status: 403 }
    : undefined;
}

/** Resolves with the problem of the current password, if it has one. The limits of a login hold. */
export async function checkCurrent(
  account: Account,
  submission: Submission,
  { source, device }: Browser,
  { loginAttempts, passwords }: Pick<PasswordDependencies, 'loginAttempts' | 'passwords'>,
): Promise<PasswordProblem | undefined> {
  const attempt = [attemptedAccount(account.username, account), source, device] as const;
  const wait = await loginAttempts.begin(...attempt);
  if (wait > 0) return waiting(wait);
  let isRight: boolean;
  try {
    const turn = loginAttempts.turn(...attempt);
    isRight = await passwords.matches(submitted(submission, 'password'), account.passwordHash, turn);
  } catch (error) {
    await loginAttempts.withdraw(...attempt);
    throw error;
  }
  if (!isRight) return { message: { key: 'password.wrong' }, status: 403 };
  await loginAttempts.succeed(...attempt);
  return undefined;
}

interface Replacement {
  readonly passwordHash: string;
  readonly endsGrants: boolean;
  /** Default: those of an account that had no password. */
  readonly keepsSessions?: boolean;
}

/**
 * Replaces the password, and ends all sessions and, if the user wants it, all grants. Nobody has logged in with a password before the first
 * one, so it ends nothing.
 *
 * @throws OAuthError `invalid_auth_state` if the account has changed
 */
export async function replace(
  before: Account,
  { passwordHash, endsGrants, keepsSessions = before.passwordHash === undefined }: Replacement,
  browser: Browser,
  deps: PasswordDependencies,
): Promise<void> {
  const { username } = before;
  const owner = { identityProvider: accountIdentityProvider, name: username };
  const endGrants = ({ issuedTokens }: Pick<TransactionStores, 'issuedTokens'>) =>
    issuedTokens.revokeGrants(owner, deps.clock.now(), Number.MAX_SAFE_INTEGER);
  const event = await deps.transact(async (stores) => {
    const { accounts, auditEvents, issuedTokens } = stores;
    if (!isSame(await accounts.find(username), before)) throw new OAuthError('invalid_auth_state');
    await accounts.replaceHash(username, before.passwordHash, passwordHash);
    if (!keepsSessions) await issuedTokens.endSessions(owner, deps.clock.now());
    await mailNewPassword(before, browser, deps, stores);
    const after = endsGrants ? { endedGrants: await endGrants({ issuedTokens }) } : undefined;
    const event = passwordEvent(username, browser, deps, after);
    await auditEvents.append([event]);
    return event;
  });
  // A grant that was stored at the same time, in a session that had not ended yet, was not found.
  if (endsGrants) await deps.transact(endGrants);
  deps.audited?.(event);
}

/** Whether the account has not changed since it was read. */
export function isSame(account: Account | undefined, before: Account): boolean {
  return (
    account?.id === before.id &&
    account.revision === before.revision &&
    account.passwordHash === before.passwordHash
  );
}
