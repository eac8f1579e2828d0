import type { ResourceServer } from '@watchword/admin-client';
import { useClientsOf } from '../../api/queries.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FirstOnly } from '../../components/first-only.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { searchOf } from '../../components/table-search.ts';
import { Waiting } from '../../components/waiting.tsx';
import { WhoRegisters } from '../../components/who-registers.tsx';
import { usePerson } from '../../environment.ts';
import { newClientRoute } from '../../router/routes.ts';
import { useListState } from '../../router/use-list-state.ts';
import { t } from '../../texts/texts.ts';
import { clientColumns, clientTexts } from '../clients/client-columns.tsx';

interface ResourceServerClientsProps {
  readonly resourceServer: ResourceServer;
  readonly clients: ReturnType<typeof useClientsOf>;
}

export function ResourceServerClients({ resourceServer, clients }: ResourceServerClientsProps) {
  const { mayRegister } = usePerson();
  const list = useListState({ key: 'name', isDescending: false });
  // Searched here as long as everything is here.
  const isWhole = clients.data?.isComplete !== false;
  const found = useClientsOf(resourceServer.id, isWhole ? '' : list.q);
  const { data, error, refetch } = isWhole ? clients : found;
  if (data === undefined || error !== null) return <Waiting error={error} refetch={refetch} />;
  const all = data.items.map((client) => ({ client, resourceServer }));
  const rows = isWhole ? all.filter(searchOf(list.q, clientTexts)) : all;
  return (
    <>
      {(all.length > 0 || list.q !== '') && (
        <div className="toolbar">
          <SearchBox label={t('server.clients.search')} value={list.q} onSearch={(q) => list.set({ q })} />
        </div>
      )}
      <DataTable
        caption={t('server.clients.of', { resourceServer: resourceServer.name })}
        noun="client"
        columns={clientColumns()}
        rows={rows}
        rowKey={({ client }) => client.id}
        sorting={list.sorting}
        onSort={list.setSorting}
        page={list.page}
        onPage={list.setPage}
        footer={<FirstOnly list={data} />}
        empty={
          list.q !== '' ? (
            <EmptyState title={t('server.clients.noneFits')}>
              <p>{t('server.clients.noneFitsAdvice')}</p>
            </EmptyState>
          ) : (
            <EmptyState title={t('server.clients.none')}>
              <p>{t('server.clients.noneAdvice')}</p>
              <WhoRegisters />
              {mayRegister && (
                <LinkButton to={newClientRoute(resourceServer.id)} icon="plus">
                  {t('server.registerClient')}
                </LinkButton>
              )}
            </EmptyState>
          )
        }
      />
    </>
  );
}
