import type { Account } from '@watchword/admin-client';
import { PersonLink } from '../../components/records/person-link.tsx';
import type { Column } from '../../components/tables/data-table.tsx';
import { LastUse } from '../../components/tables/last-use.tsx';
import type { MenuAction } from '../../components/tables/row-menu.tsx';
import { actionColumn, timeColumn } from '../../components/tables/usual-columns.tsx';
import { accountIdentityProvider } from '../../rules/identity-provider.ts';
import { t } from '../../texts/texts.ts';

/** What the user chose to do with an account. */
export interface AccountAction {
  readonly type: 'edit' | 'disable' | 'enable' | 'reset' | 'delete';
  readonly account: Account;
}

interface AccountColumnOptions {
  readonly mayWrite: boolean;
  readonly onAction: (action: AccountAction) => void;
}

export function accountColumns({ mayWrite, onAction }: AccountColumnOptions): readonly Column<Account>[] {
  if (!mayWrite) return columns();
  const actions = actionColumn<Account>(
    ({ username }) => t('accounts.actions', { username }),
    (account) => accountActions(account, onAction),
  );
  return [...columns(), actions];
}

const columns = (): readonly Column<Account>[] => [
  {
    key: 'username',
    header: t('account.username'),
    isFixed: true,
    value: ({ username }) => username,
    cell: ({ username }) => (
      <PersonLink
        owner={{ resourceOwnerId: username, resourceOwnerAuthority: accountIdentityProvider }}
        className="row-link"
      />
    ),
  },
  {
    key: 'displayName',
    header: t('account.name'),
    isFlexible: true,
    value: ({ displayName }) => displayName,
    cell: ({ displayName }) => <bdi>{displayName}</bdi>,
  },
  {
    key: 'email',
    header: t('account.email'),
    value: ({ email }) => email,
    cell: ({ email }) => <bdi>{email}</bdi>,
  },
  {
    key: 'groups',
    header: t('account.groups'),
    value: ({ groups }) => groups.join(),
    cell: ({ groups }) => <bdi>{groups.join(', ')}</bdi>,
  },
  {
    key: 'state',
    header: t('account.state'),
    value: stateText,
    cell: (account) => (
      <span className={account.disabled ? 'unbroken warn-text' : 'unbroken'}>{stateText(account)}</span>
    ),
  },
  {
    key: 'lastLogin',
    header: t('accounts.lastLogin'),
    value: ({ lastLogin }) => lastLogin ?? 0,
    cell: ({ lastLogin }) => <LastUse time={lastLogin} />,
  },
  timeColumn('created', t('accounts.created'), ({ creationDate }) => creationDate),
];

export function stateText({ adminPrincipal, disabled, hasPassword }: Account): string {
  const states = [
    ...(adminPrincipal ? [t('accounts.state.administrator')] : []),
    ...(disabled ? [t('accounts.state.disabled')] : []),
    ...(hasPassword ? [] : [t('accounts.state.waiting')]),
  ];
  return states.length === 0 ? t('accounts.state.active') : states.join(', ');
}

/** What can be done with an account in its state. */
export function accountActions(
  account: Account,
  onAction: (action: AccountAction) => void,
): readonly MenuAction[] {
  const action = (label: string, type: AccountAction['type'], isDangerous = false) => ({
    label,
    isDangerous,
    onClick: () => onAction({ type, account }),
  });
  const state = account.disabled
    ? [action(t('accounts.enable'), 'enable')]
    : [action(t('accounts.disable'), 'disable', true)];
  const reset = account.disabled ? [] : [action(t('accounts.reset'), 'reset', true)];
  return [
    action(t('accounts.edit'), 'edit'),
    ...reset,
    ...state,
    action(t('accounts.delete'), 'delete', true),
  ];
}
