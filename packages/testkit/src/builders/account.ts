import type { AccountRegistration } from '@watchword/accounts';
import { type Account, noAccountClaims } from '@watchword/protocol';

/** A registration that breaks no rule. */
export function accountRegistration(overrides: Partial<AccountRegistration> = {}): AccountRegistration {
  return {
    username: 'emma',
    displayName: 'Emma Example',
    roles: ['editor'],
    groups: ['staff'],
    adminPrincipal: false,
    ...overrides,
  };
}

/** An account whose password no test knows. */
export function buildAccount(overrides: Partial<Account> = {}): Account {
  return {
    ...noAccountClaims,
    ...accountRegistration(),
    id: `id of ${overrides.username ?? 'emma'}`,
    passwordHash: '$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA',
    disabled: false,
    creationDate: Date.UTC(2026, 0, 1),
    revision: 1,
    enabledRevision: 0,
    ...overrides,
  };
}
