import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type IdentityProvider, readAll } from '@watchword/admin-client';
import { useState } from 'react';
import { readWhole } from '../../api/queries.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loading } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { searchOf } from '../../components/table-search.ts';
import { useEnvironment, usePerson } from '../../environment.ts';
import { useListState } from '../../router/use-list-state.ts';
import { EndDialog } from './end-dialog.tsx';
import { stateText } from './state-text.ts';

const columns: readonly Column<IdentityProvider>[] = [
  {
    key: 'name',
    header: 'Identity provider',
    value: ({ identityProvider }) => identityProvider,
    cell: ({ identityProvider }) => <code>{identityProvider}</code>,
  },
  {
    key: 'state',
    header: 'State',
    value: ({ configured }) => stateText(configured),
    cell: ({ configured }) => (
      <span className={configured === false ? 'warn-text' : undefined}>{stateText(configured)}</span>
    ),
  },
  {
    key: 'sessions',
    header: 'Logins',
    align: 'end',
    value: ({ loginSessions }) => loginSessions,
    cell: ({ loginSessions }) => loginSessions.toLocaleString('en'),
  },
  {
    key: 'grants',
    header: 'Grants',
    align: 'end',
    value: ({ grants }) => grants,
    cell: ({ grants }) => grants.toLocaleString('en'),
  },
  {
    key: 'consents',
    header: 'Consents',
    align: 'end',
    value: ({ consents }) => consents,
    cell: ({ consents }) => consents.toLocaleString('en'),
  },
];

/** The identity providers whose users have sessions, grants or consents, with a way to revoke them. */
export function IdentityProviders() {
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  const list = useListState({ key: 'name', isDescending: false });
  const [ending, setEnding] = useState<IdentityProvider>();
  const only = list.get('configured');
  const { data, error, refetch } = useQuery({
    queryKey: ['identityProviders'],
    queryFn: ({ signal }) => readAll((page) => admin.identityProviders.list(page, { signal }), readWhole),
  });
  const matches = searchOf(list.q, ({ identityProvider }: IdentityProvider) => [identityProvider]);
  const rows = data?.items.filter((row) => matches(row) && (only === '' || String(row.configured) === only));
  const actions: Column<IdentityProvider> = {
    key: 'actions',
    header: '',
    align: 'end',
    cell: (row) => (
      <Button variant="default" size="compact-xs" onClick={() => setEnding(row)}>
        Revoke all
      </Button>
    ),
  };
  return (
    <>
      <PageHeader
        title="Identity providers"
        lead="How users log in, and what these users have here. While the server is not configured with an identity provider, the sessions and tokens of its users are not valid."
      />
      <div className="toolbar">
        <SearchBox label="Search identity providers" value={list.q} onSearch={(q) => list.set({ q })} />
        <NativeSelect
          size="xs"
          aria-label="Which ones"
          value={only}
          onChange={({ currentTarget }) => list.set({ configured: currentTarget.value })}
          data={[
            { value: '', label: 'All' },
            { value: 'false', label: 'No longer configured' },
            { value: 'true', label: 'Configured' },
          ]}
        />
      </div>
      {error !== null && <Problem error={error} onRetry={refetch} />}
      {rows === undefined ? (
        error === null && <Loading />
      ) : (
        <DataTable
          caption="Identity providers"
          noun="identityProvider"
          columns={mayWrite ? [...columns, actions] : columns}
          rows={rows}
          rowKey={({ identityProvider }) => identityProvider}
          sorting={list.sorting}
          onSort={list.setSorting}
          page={list.page}
          onPage={list.setPage}
          empty={
            <EmptyState title="No identity provider fits">
              <p>Only those are listed whose people have a login, a grant or a remembered consent.</p>
            </EmptyState>
          }
        />
      )}
      {ending !== undefined && <EndDialog identityProvider={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}
