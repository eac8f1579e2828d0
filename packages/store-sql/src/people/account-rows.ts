import { type Account, accountClaimFields, accountTexts, type SearchedAccount } from '@watchword/protocol';
import type { Selectable } from 'kysely';
import { recordMetadata } from '../records/record-metadata.ts';
import type { AccountTable } from '../schema/people-tables.ts';
import { type SearchColumns, searchColumns } from '../schema/search-columns.ts';

const otherClaims = recordMetadata(accountClaimFields, ['email']);

/** @param claims those of the row that is to be changed */
export function accountColumns(account: Account, claims?: string): AccountTable {
  return {
    id: account.id,
    username: account.username,
    password_hash: account.passwordHash ?? null,
    display_name: account.displayName,
    email: account.email,
    claims: otherClaims.write(account, claims),
    role_names: JSON.stringify(account.roles),
    group_names: JSON.stringify(account.groups),
    admin_principal: Number(account.adminPrincipal),
    disabled: Number(account.disabled),
    creation_date: account.creationDate,
    revision: account.revision,
    enabled_revision: account.enabledRevision,
    ...accountSearchColumns(account),
    reset_digest: account.resetLink?.digest ?? null,
    reset_expires: account.resetLink?.expires ?? null,
    needs_long_password: Number(account.needsLongPassword === true),
  };
}

export function accountSearchColumns(account: SearchedAccount & Pick<Account, 'revision'>): SearchColumns {
  return searchColumns(account.revision, [], accountTexts(account));
}

export function toAccount(row: Selectable<AccountTable>): Account {
  return {
    email: row.email,
    ...otherClaims.read(row.claims),
    id: row.id,
    username: row.username,
    passwordHash: row.password_hash ?? undefined,
    displayName: row.display_name,
    roles: JSON.parse(row.role_names),
    groups: JSON.parse(row.group_names),
    adminPrincipal: row.admin_principal === 1,
    disabled: row.disabled === 1,
    creationDate: row.creation_date,
    revision: row.revision,
    enabledRevision: row.enabled_revision,
    ...resetLinkOf(row),
    ...(row.needs_long_password === 1 && { needsLongPassword: true }),
  };
}

function resetLinkOf({ reset_digest, reset_expires }: Selectable<AccountTable>): Pick<Account, 'resetLink'> {
  if (reset_digest === null || reset_expires === null) return {};
  return { resetLink: { digest: reset_digest, expires: reset_expires } };
}
