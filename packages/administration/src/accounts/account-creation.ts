import { newResetLink, Violations } from '@watchword/protocol';
import { ofAccount } from '../changes/audit.ts';
import { changeRecords } from '../changes/change-records.ts';
import { requireAccountAccess } from './account-access.ts';
import type { AccountRecordAdministration, AccountRecordDependencies } from './account-administration.ts';
import { listedAccount } from './account-record.ts';
import {
  type AccountRegistration,
  accountState,
  checkNewAccount,
  newAccount,
  usernameTaken,
} from './account-rules.ts';

/** Creates accounts whose users set their passwords with a reset link. */
export function accountCreation(
  deps: AccountRecordDependencies,
): Pick<AccountRecordAdministration, 'create'> {
  const { clock, hasLocalLogin, random, subjectSecret } = deps;
  return {
    async create(caller, { fields, malformed }) {
      requireAccountAccess(caller, hasLocalLogin);
      const registration = registrationOf(fields);
      const violations = new Violations(malformed);
      checkNewAccount(registration, violations);
      violations.throwIfAny();
      const now = clock.now();
      const { value: resetLink, stored } = newResetLink(now, random);
      const account = { ...newAccount(registration, now, random), resetLink: stored };
      return changeRecords(caller, deps, async (stores) => {
        if (!(await stores.accounts.create(account))) throw usernameTaken();
        const created = { action: 'create', ...ofAccount(account.username) } as const;
        return {
          value: { ...listedAccount(subjectSecret, account), resetLink },
          changes: [{ ...created, after: accountState(account) }],
        };
      });
    },
  };
}

function registrationOf(fields: Partial<AccountRegistration>): AccountRegistration {
  const { username = '', displayName, roles = [], groups = [], adminPrincipal = false, ...claims } = fields;
  return { ...claims, username, displayName: displayName || username, roles, groups, adminPrincipal };
}
