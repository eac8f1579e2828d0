import {
  type Account,
  accountClaimFields,
  accountIdentityProvider,
  type EndedByChange,
  subjectOf,
  submittedOf,
} from '@watchword/protocol';

/** An account as the administration interface shows it. */
export interface ListedAccount {
  readonly account: Account;
  /** Identifies the user to clients and resource servers, see `subjectOf`. */
  readonly subject: string;
  /** In epoch milliseconds; `null` if it was before the last month. Only where it was asked for. */
  readonly lastLogin?: number | null;
}

/** @param subjectSecret the key of all subjects, see `SubjectKeyStore` */
export function listedAccount(subjectSecret: Uint8Array, account: Account): ListedAccount {
  const { id: stableId, username: name } = account;
  const user = { identityProvider: accountIdentityProvider, stableId, name };
  return { account, subject: subjectOf(subjectSecret, user) };
}

/** In the names of the administration interface, without the password and the reset link. */
export function accountRecord({ account, subject, lastLogin }: ListedAccount) {
  const { id, username, displayName, roles, groups, adminPrincipal, disabled } = account;
  return {
    id,
    username,
    displayName,
    ...submittedOf(accountClaimFields, account),
    roles,
    groups,
    adminPrincipal,
    disabled,
    hasPassword: account.passwordHash !== undefined,
    resetLinkExpires: account.resetLink?.expires ?? null,
    subject,
    creationDate: account.creationDate,
    ...(lastLogin !== undefined && { lastLogin }),
  };
}

/** What a change has ended, in the names of the administration interface. */
export function endedRecord({ sessions, grants }: EndedByChange) {
  return { loginSessions: sessions, grants };
}

/** An account belongs to the user who logs in with it. */
export function ofAccount(username: string) {
  return {
    recordType: 'account',
    recordId: username,
    recordName: username,
    owner: { identityProvider: accountIdentityProvider, name: username },
  } as const;
}
