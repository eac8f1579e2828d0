import {
  type Account,
  type AuditEvent,
  type Browser,
  type Credential,
  type ResourceOwner,
  type Submission,
  submitted,
  type TransactionStores,
} from '@watchword/protocol';
import { ownerOfAccount } from '../account-rules.ts';
import { recoveryCodeOf } from '../factors/recovery-codes.ts';
import { useRecoveryCode } from '../factors/recovery-way.ts';
import { type PasswordDependencies, type PasswordProblem, waiting } from './password-pages.ts';

/**
 * What a mailed link needs for a new password. An account without one, to which its owner logs in otherwise, gets none by reading a mail:
 * else the mailbox would be worth as much as the passkey.
 *
 * - `link`: nothing else
 * - `code`: a recovery code too
 * - `never`: no link gives one
 */
export type MailedPasswordNeeds = 'link' | 'code' | 'never';

type NeedDependencies = Pick<
  PasswordDependencies,
  'accountLinks' | 'authenticators' | 'credentials' | 'recoveryAttempts' | 'subjectSecret'
>;

/** As much is read for every account, and for nobody, so that the time does not tell which ones have no password. */
export async function needsOfMailedPassword(
  account: Account | undefined,
  deps: NeedDependencies,
): Promise<MailedPasswordNeeds> {
  const subject = account === undefined ? '' : ownerOfAccount(account, deps).subject;
  const own = await deps.credentials.listBySubject(subject);
  const links = await deps.accountLinks.listOfAccount(account?.id ?? '');
  if (account === undefined || account.passwordHash !== undefined) return 'link';
  const hasOtherWay =
    own.some(({ kind }) => kind === 'passkey') ||
    links.some(({ authenticator }) => deps.authenticators.has(authenticator));
  if (!hasOtherWay) return 'link';
  return deps.recoveryAttempts !== undefined && codesOf(own).length > 0 ? 'code' : 'never';
}

/** A recovery code that was typed, and is used with the new password. */
export interface TypedCode {
  /** In the transaction of the password. `undefined` if somebody else used it. */
  use(stores: TransactionStores): Promise<AuditEvent | undefined>;
  succeed(): Promise<void>;
}

/** The code of the form, or why it is none. Guesses are counted with those of logins. */
export async function typedCode(
  account: Account,
  submission: Submission,
  browser: Browser,
  deps: PasswordDependencies,
): Promise<TypedCode | PasswordProblem> {
  const { recoveryAttempts: attempts, credentials } = deps;
  const wrong = { message: { key: 'factor.wrongRecoveryCode' }, status: 403 } as const;
  if (attempts === undefined) return wrong;
  const owner = ownerOfAccount(account, deps);
  const own = codesOf(await credentials.listBySubject(owner.subject));
  const attempt = [attemptedCode(owner, own), browser.source, browser.device] as const;
  const wait = await attempts.begin(...attempt);
  if (wait > 0) return waiting(wait);
  const code = recoveryCodeOf(submitted(submission, 'code'), own);
  if (code === undefined) return wrong;
  const used = { code, owner, browser, left: own.length - 1 };
  return {
    use: (stores) => useRecoveryCode(used, stores, deps),
    succeed: () => attempts.succeed(...attempt),
  };
}

function codesOf(own: readonly Credential[]): readonly Credential[] {
  return own.filter(({ kind }) => kind === 'recovery_code');
}

function attemptedCode({ subject }: ResourceOwner, own: readonly Credential[]) {
  const name = `recovery_code ${subject}`;
  return { name, secret: `${name} ${own.map(({ id }) => id).join(' ')}` };
}
