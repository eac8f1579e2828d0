import type { Browser } from '../authorize/browser.ts';
import { loginEvent } from '../authorize/sessions/login-event.ts';
import { accountIdentityProvider } from '../model/account.ts';
import type { AuditEvent } from '../model/audit-event.ts';
import type { PasswordDependencies } from './password-pages.ts';

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
