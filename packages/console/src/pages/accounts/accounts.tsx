import { useMutation, useQuery } from '@tanstack/react-query';
import { type AccountQuery, readAll } from '@watchword/admin-client';
import { type FormEvent, useState } from 'react';
import { readWhole, useRefresh } from '../../api/queries.ts';
import { useBulk } from '../../components/bulk/use-bulk.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loading } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { SearchBox } from '../../components/search/search-box.tsx';
import { useColumns } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { FirstOnly } from '../../components/tables/first-only.tsx';
import { useListState } from '../../components/tables/use-list-state.ts';
import { useIsEarly } from '../../components/use-is-early.ts';
import { Button } from '../../controls/button.tsx';
import { Checkbox } from '../../controls/choices.tsx';
import { Icon } from '../../controls/icon.tsx';
import { Select, TextInput } from '../../controls/inputs.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { violationsOf } from '../../forms/change-errors.ts';
import { problemText } from '../../forms/fields.tsx';
import { problemsOf } from '../../rules/problems.ts';
import { t } from '../../texts/texts.ts';
import { type AccountAction, accountColumns } from './account-columns.tsx';
import { AccountDialog } from './account-dialog.tsx';
import { AccountFieldInputs } from './account-fields.tsx';
import { useAccountActions } from './bulk-actions.tsx';
import { Confirmations } from './confirmations.tsx';
import { Invitations } from './invitations.tsx';
import { Invite } from './invite.tsx';
import { type MadeLink, ResetLink } from './reset-link.tsx';
import { checkedFields, emptyAccount, fieldsOf } from './typed-account.ts';

const states = () => [
  { value: '', label: t('accounts.all') },
  { value: 'admin', label: t('accounts.administrators') },
  { value: 'disabled', label: t('accounts.disabled') },
  { value: 'waiting', label: t('accounts.waiting') },
];

/** The server filters, because it can have more accounts than are read. */
const filters: Readonly<Record<string, AccountQuery>> = {
  admin: { adminPrincipal: true },
  disabled: { disabled: true },
  waiting: { hasPassword: false },
};

/** The local accounts, for administrators. */
export function Accounts() {
  const { principal, mayInvite, mayWrite } = usePerson();
  const list = useListState({ key: 'username', isDescending: false });
  const state = list.get('state');
  const { data, error, refetch } = useAccounts(list.q, state);
  const [isCreating, setCreating] = useState(false);
  const [action, setAction] = useState<AccountAction>();
  const [made, setMade] = useState<MadeLink>();
  const rows = data?.items;
  const table = useColumns('accounts', accountColumns({ mayWrite, onAction: setAction }), rows);
  const bulk = useBulk({
    rows: rows ?? [],
    noun: 'account',
    keyOf: ({ id }) => id,
    nameOf: ({ username }) => username,
    // Also of a user with the same name at an identity provider, where the order does not matter.
    isOwn: ({ username }) => username === principal.name,
    actions: useAccountActions(),
  });
  return (
    <>
      <PageHeader
        title={t('accounts.title')}
        lead={t('accounts.lead')}
        actions={
          mayWrite && (
            <>
              {mayInvite && <Invite />}
              <Button leftSection={<Icon name="plus" />} onClick={() => setCreating(true)}>
                {t('accounts.create')}
              </Button>
            </>
          )
        }
      />
      <div className="toolbar">
        <SearchBox label={t('accounts.search')} value={list.q} onSearch={(q) => list.set({ q })} />
        <Select
          size="xs"
          aria-label={t('table.which')}
          value={state}
          onChange={({ currentTarget }) => list.set({ state: currentTarget.value })}
          data={states()}
        />
        {table.choice}
      </div>
      {error !== null && <Problem error={error} onRetry={refetch} />}
      {rows === undefined ? (
        error === null && <Loading />
      ) : (
        <DataTable
          caption={t('accounts.title')}
          noun="account"
          columns={table.columns}
          rows={rows}
          found={data}
          rowKey={({ id }) => id}
          sorting={list.sorting}
          onSort={list.setSorting}
          page={list.page}
          onPage={list.setPage}
          {...(bulk.selection && { selection: bulk.selection })}
          footer={
            <>
              {table.same}
              <FirstOnly list={data} />
            </>
          }
          empty={
            <EmptyState title={t('accounts.none')}>
              <p>{t('accounts.noneAdvice')}</p>
            </EmptyState>
          }
        />
      )}
      <Invitations />
      <Confirmations title={t('confirmations.signUps')} of={{ purpose: 'sign_up' }} />
      {bulk.dialog}
      {isCreating && <NewAccountDialog onClose={() => setCreating(false)} />}
      {action !== undefined && (
        <AccountDialog action={action} onReset={setMade} onClose={() => setAction(undefined)} />
      )}
      {made !== undefined && <ResetLink made={made} onClose={() => setMade(undefined)} />}
    </>
  );
}

function useAccounts(q: string, state: string) {
  const { admin } = useEnvironment();
  return useQuery({
    queryKey: ['accounts', q, state],
    queryFn: ({ signal }) =>
      readAll(
        (page) =>
          admin.accounts.list({ ...page, ...filters[state], q: q || undefined, lastLogin: true }, { signal }),
        readWhole,
      ),
    placeholderData: (before) => before,
  });
}

/** Creates an account, and shows the link with which its user sets a password, or adds a passkey. */
function NewAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const [username, setUsername] = useState('');
  const [typed, setTyped] = useState(emptyAccount);
  const [passkey, setPasskey] = useState(false);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => {
      const { displayName, ...fields } = fieldsOf(typed);
      const named = displayName === '' ? {} : { displayName };
      return admin.accounts.create({ username, ...fields, ...named, passkey });
    },
    onSuccess: () => refresh(),
  });
  const isEarly = useIsEarly(error);
  if (data !== undefined) return <ResetLink made={data} onClose={onClose} />;
  const violations = violationsOf(error);
  const { byField } = problemsOf(violations, ['username', ...checkedFields]);

  function create(event: FormEvent) {
    event.preventDefault();
    mutate();
  }

  return (
    <Dialog onClose={onClose} title={t('accounts.create')}>
      <form className="stack" onSubmit={create} noValidate>
        <p className="quiet">{t('account.newHint')}</p>
        <TextInput
          label={t('account.username')}
          description={t('account.usernameHint')}
          value={username}
          error={problemText(t('account.username'), [...(byField.username ?? [])])}
          autoComplete="off"
          spellCheck="false"
          data-autofocus
          onChange={({ currentTarget }) => setUsername(currentTarget.value)}
        />
        <Checkbox
          label={t('account.passkey')}
          description={t('account.passkeyHint')}
          checked={passkey}
          onChange={({ currentTarget }) => setPasskey(currentTarget.checked)}
        />
        <AccountFieldInputs typed={typed} problems={byField} onChange={setTyped} />
        {error !== null && violations.length === 0 && <Problem error={error} />}
        <div className="dialog-actions">
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={isEarly || username === ''}>
            {t('action.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
