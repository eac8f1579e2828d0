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
import { Button } from '../../controls/button.tsx';
import { Select } from '../../controls/inputs.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { useListState } from '../../router/use-list-state.ts';
import { t } from '../../texts/texts.ts';
import { type AccountAction, accountColumns } from './account-columns.tsx';
import { AccountDialog } from './account-dialog.tsx';
import { NewAccountDialog } from './new-account-dialog.tsx';
import { type MadeLink, ResetLink } from './reset-link.tsx';

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
        title={t('accounts.title')}
        lead={t('accounts.lead')}
        actions={
          mayWrite && (
            <Button leftSection={<Icon name="plus" />} onClick={() => setCreating(true)}>
              {t('accounts.create')}
            </Button>
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
      </div>
      {error !== null && <Problem error={error} onRetry={refetch} />}
      {rows === undefined ? (
        error === null && <Loading />
      ) : (
        <DataTable
          caption={t('accounts.title')}
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
            <EmptyState title={t('accounts.none')}>
              <p>{t('accounts.noneAdvice')}</p>
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
