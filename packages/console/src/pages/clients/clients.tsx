import { useAllClients } from '../../api/all-clients.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FirstOnly } from '../../components/first-only.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Loading } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { searchOf } from '../../components/table-search.ts';
import { WhoRegisters } from '../../components/who-registers.tsx';
import { usePerson } from '../../environment.ts';
import { routes } from '../../router/routes.ts';
import { useListState } from '../../router/use-list-state.ts';
import { t } from '../../texts/texts.ts';
import { clientColumns, clientTexts, ownerColumn, resourceServerColumn } from './client-columns.tsx';
import { ResourceServerSelect } from './resource-server-select.tsx';

export function Clients() {
  const { isAdministrator } = usePerson();
  const list = useListState({ key: 'name', isDescending: false });
  const ofServer = list.get('of');
  // Searched here as long as everything is here.
  const all = useAllClients();
  const isWhole = all.data?.isComplete !== false;
  const found = useAllClients(isWhole ? {} : { q: list.q, of: ofServer });
  const { data, error, refetch } = isWhole ? all : found;
  const matches = searchOf(list.q, clientTexts);
  const rows = isWhole
    ? data?.items.filter(
        (row) => matches(row) && (ofServer === '' || String(row.resourceServer.id) === ofServer),
      )
    : data?.items;
  return (
    <>
      <PageHeader title={t('clients.title')} lead={t('clients.lead')} />
      {data !== undefined && (!isWhole || data.items.length > 0) && (
        <div className="toolbar">
          <SearchBox label={t('clients.search')} value={list.q} onSearch={(q) => list.set({ q })} />
          <ResourceServerSelect value={ofServer} onChoose={(of) => list.set({ of })} />
        </div>
      )}
      {error !== null && <Problem error={error} onRetry={refetch} />}
      {rows === undefined ? (
        error === null && <Loading />
      ) : (
        <DataTable
          caption={t('clients.title')}
          noun="client"
          columns={[...clientColumns(), resourceServerColumn(), ...(isAdministrator ? [ownerColumn()] : [])]}
          rows={rows}
          rowKey={({ client }) => client.id}
          sorting={list.sorting}
          onSort={list.setSorting}
          page={list.page}
          onPage={list.setPage}
          footer={<FirstOnly list={data} />}
          empty={
            <NoClients
              hasServers={(data?.resourceServers.length ?? 0) > 0}
              isFiltered={!isWhole || data?.items.length !== 0}
              isWhole={isWhole}
            />
          }
        />
      )}
    </>
  );
}

function NoClients({
  hasServers,
  isFiltered,
  isWhole,
}: {
  readonly hasServers: boolean;
  readonly isFiltered: boolean;
  readonly isWhole: boolean;
}) {
  const { mayRegister } = usePerson();
  if (isFiltered) {
    return (
      <EmptyState title={t('clients.none.filtered')}>
        <p>{t(isWhole ? 'clients.none.searched' : 'clients.none.searchedByServer')}</p>
      </EmptyState>
    );
  }
  return hasServers ? (
    <EmptyState title={t('clients.none.title')}>
      <p>{t('clients.none.advice')}</p>
      <LinkButton to={routes.resourceServers}>{t('clients.none.choose')}</LinkButton>
    </EmptyState>
  ) : (
    <EmptyState title={t('clients.none.title')}>
      {mayRegister && <p>{t('clients.none.noServer')}</p>}
      <WhoRegisters />
      {mayRegister && (
        <LinkButton to={routes.newResourceServer} icon="plus">
          {t('servers.register')}
        </LinkButton>
      )}
    </EmptyState>
  );
}
