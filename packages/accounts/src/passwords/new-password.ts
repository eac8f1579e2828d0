import {
  type Account,
  type AuditEvent,
  accountIdentityProvider,
  type Browser,
  loginEvent,
  type Submission,
  subjectOf,
  submitted,
  type TransactionStores,
} from '@watchword/protocol';
import { hasSecondFactor } from '../factors/second-factor.ts';
import { type PasswordDependencies, type PasswordProblem, problem } from './password-pages.ts';
import { leastPasswordCharacters, type PasswordOwner, passwordFault } from './password-rules.ts';

/** The new password of a form, or why it is not accepted. */
export function newPassword(submission: Submission, owner: PasswordOwner): string | PasswordProblem {
  const password = submitted(submission, 'new_password');
  if (password !== submitted(submission, 'new_password_again')) return problem({ key: 'password.differ' });
  const fault = passwordFault(password, owner);
  if (fault === undefined) return password;
  if (fault === 'breached' || fault === 'names') return problem({ key: `password.${fault}` });
  const { leastCharacters = leastPasswordCharacters() } = owner;
  return problem({ key: 'password.rules', values: { count: String(leastCharacters) } });
}

/** The same for an account that is there. */
export async function newPasswordOf(
  account: Account,
  submission: Submission,
  deps: Pick<PasswordDependencies, 'credentials' | 'subjectSecret' | 'productName'>,
): Promise<string | PasswordProblem> {
  const leastCharacters = await leastCharactersOf(account, deps);
  return newPassword(submission, { ...account, leastCharacters, productName: deps.productName?.() });
}

/** Characters that a new password of the account has at least. */
export async function leastCharactersOf(
  { id: stableId, username: name }: Account,
  { credentials, subjectSecret }: Pick<PasswordDependencies, 'credentials' | 'subjectSecret'>,
): Promise<number> {
  const identity = { identityProvider: accountIdentityProvider, stableId, name };
  const own = await credentials.listBySubject(subjectOf(subjectSecret, identity));
  return leastPasswordCharacters(hasSecondFactor(own));
}

/** The audit event of a password that the user of the account has set. */
export function passwordEvent(
  username: string,
  { source }: Browser,
  deps: Pick<PasswordDependencies, 'clock' | 'random'>,
  after?: AuditEvent['after'],
): AuditEvent {
  const owner = { identityProvider: accountIdentityProvider, name: username };
  const record = { recordType: 'account', recordId: username, recordName: username } as const;
  const done = { action: 'changePassword', ...record, ...(after && { after }) } as const;
  return loginEvent(owner, { clientId: undefined, source }, done, deps);
}

/** Ends the links that were mailed to the account before, and tells its owner. Whoever knew the former password gets no further with a link. */
export async function mailNewPassword(
  { id, displayName, email, locale }: Account,
  { language }: Browser,
  { clock, mail }: Pick<PasswordDependencies, 'clock' | 'mail'>,
  stores: TransactionStores,
): Promise<void> {
  await stores.personLinks.endOfAccount(id);
  if (mail === undefined || email === '') return;
  const values = { name: displayName, time: clock.now() };
  await mail.send({ kind: 'password_changed', to: email, language: locale || language, values }, stores);
}
