import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type AccountQuery, readAll } from '@watchword/admin-client';
import { useState } from 'react';
import { readWhole } from '../../api/queries.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FirstOnly } from '../../components/first-only.tsx';
import { Icon } from '../../components/icon.tsx';
import { Loading } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { useListState } from '../../router/use-list-state.ts';
import { type AccountAction, accountColumns } from './account-columns.tsx';
import { AccountDialog } from './account-dialog.tsx';
import { NewAccountDialog } from './new-account-dialog.tsx';
import { type MadeLink, ResetLink } from './reset-link.tsx';

const states = [
  { value: '', label: 'All accounts' },
  { value: 'admin', label: 'Administrators' },
  { value: 'disabled', label: 'Disabled' },
  { value: 'waiting', label: 'Without a password' },
] as const;

/** The server filters, because it can have more accounts than are read. */
const filters: Readonly<Record<string, AccountQuery>> = {
  admin: { adminPrincipal: true },
  disabled: { disabled: true },
  waiting: { hasPassword: false },
};

/** The local accounts, for administrators. */
export function Accounts() {
  const { mayWrite } = usePerson();
  const list = useListState({ key: 'username', isDescending: false });
  const state = list.get('state');
  const { data, error, refetch } = useAccounts(list.q, state);
  const [isCreating, setCreating] = useState(false);
  const [action, setAction] = useState<AccountAction>();
  const [made, setMade] = useState<MadeLink>();
  const rows = data?.items;
  return (
    <>
      <PageHeader
        title="Accounts"
        lead="The users who sign in here with a username and a password. Their passwords are known to them alone."
        actions={
          mayWrite && (
            <Button leftSection={<Icon name="plus" />} onClick={() => setCreating(true)}>
              Create an account
            </Button>
          )
        }
      />
      <div className="toolbar">
        <SearchBox label="Search accounts" value={list.q} onSearch={(q) => list.set({ q })} />
        <NativeSelect
          size="xs"
          aria-label="Which ones"
          value={state}
          onChange={({ currentTarget }) => list.set({ state: currentTarget.value })}
          data={[...states]}
        />
      </div>
      {error !== null && <Problem error={error} onRetry={refetch} />}
      {rows === undefined ? (
        error === null && <Loading />
      ) : (
        <DataTable
          caption="Accounts"
          noun="account"
          columns={accountColumns({ mayWrite, onAction: setAction })}
          rows={rows}
          rowKey={({ id }) => id}
          sorting={list.sorting}
          onSort={list.setSorting}
          page={list.page}
          onPage={list.setPage}
          footer={<FirstOnly list={data} />}
          empty={
            <EmptyState title="No account fits">
              <p>Usernames, display names and groups are searched.</p>
            </EmptyState>
          }
        />
      )}
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
        (page) => admin.accounts.list({ ...page, ...filters[state], q: q || undefined }, { signal }),
        readWhole,
      ),
    placeholderData: (before) => before,
  });
}
