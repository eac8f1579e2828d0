import type { ResourceServer, Versioned } from '@watchword/admin-client';
import { useClientsOf, useResourceServer } from '../../api/queries.ts';
import { Code } from '../../components/code.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Facts } from '../../components/records/facts.tsx';
import { LostSecret } from '../../components/records/lost-secret.tsx';
import { Managed, UnlessManaged } from '../../components/records/managed.tsx';
import { isSystemRecord, Owner } from '../../components/records/owner.tsx';
import { Snippets } from '../../components/records/snippets.tsx';
import { WeakSecret } from '../../components/records/weak-secret.tsx';
import { WhoRegisters } from '../../components/records/who-registers.tsx';
import { SearchBox } from '../../components/search/search-box.tsx';
import { useColumns } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { FirstOnly } from '../../components/tables/first-only.tsx';
import { searchOf } from '../../components/tables/rows.ts';
import { useListState } from '../../components/tables/use-list-state.ts';
import { TabsOf } from '../../components/tabs-of.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { newClientRoute, routes } from '../../router/routes.ts';
import type { ShownResourceServer } from '../../rules/typed-resource-server.ts';
import { resourceServerSnippets } from '../../snippets/resource-server-snippets.ts';
import { t } from '../../texts/texts.ts';
import { clientTexts, columnsOfClients } from '../clients/client-columns.tsx';
import { OtherClients } from './other-clients.tsx';
import { ResourceServerDanger } from './resource-server-danger.tsx';
import { ResourceServerSettings } from './resource-server-settings.tsx';

const above = () => [{ to: routes.resourceServers, label: t('servers.title') }];

export function ResourceServerPage({ id }: { readonly id: number }) {
  const { data, error, refetch } = useResourceServer(id);
  if (data === undefined) {
    return (
      <>
        <PageHeader title={t('servers.one')} above={above()} />
        <Waiting error={error} refetch={refetch} />
      </>
    );
  }
  return <Shown found={data} />;
}

function Shown({ found }: { readonly found: Versioned<ShownResourceServer> }) {
  const { baseUrl } = useEnvironment();
  const { mayWrite, mayRegister, isAdministrator } = usePerson();
  const { record } = found;
  const clients = useClientsOf(record.id);
  const isSystem = isSystemRecord(record);
  return (
    <>
      <PageHeader
        title={record.name}
        above={above()}
        lead={
          <Facts
            facts={[
              { label: t('servers.key'), value: <Code text={record.key} what={t('server.theKey')} /> },
              ...(isAdministrator ? [{ label: t('servers.owner'), value: <Owner {...record} /> }] : []),
            ]}
          />
        }
        actions={
          mayRegister && (
            <LinkButton to={newClientRoute(record.id)} icon="plus">
              {t('server.registerClient')}
            </LinkButton>
          )
        }
      />
      <Managed record={record} />
      <UnlessManaged record={record}>
        <WeakSecret record={record} />
      </UnlessManaged>
      <TabsOf
        label={record.name}
        tabs={[
          {
            key: 'clients',
            label: t('server.tab.clients'),
            content: () => (
              <>
                <ResourceServerClients resourceServer={record} clients={clients} />
                <OtherClients resourceServerId={record.id} />
              </>
            ),
          },
          {
            key: 'settings',
            label: t('server.tab.settings'),
            content: () => (
              <UnlessManaged record={record}>
                <ResourceServerSettings found={found} clients={clients.data} isSystem={isSystem} />
              </UnlessManaged>
            ),
          },
          {
            key: 'use',
            label: t('server.tab.use'),
            content: () => (
              <>
                <Snippets snippets={resourceServerSnippets(baseUrl, record)} />
                <LostSecret tab="danger" />
              </>
            ),
          },
          ...(mayWrite
            ? [
                {
                  key: 'danger',
                  label: t('server.tab.danger'),
                  // What is deleted with it has to be known first.
                  content: () =>
                    clients.data === undefined ? (
                      <Waiting {...clients} />
                    ) : (
                      <ResourceServerDanger found={found} clients={clients.data} isSystem={isSystem} />
                    ),
                },
              ]
            : []),
        ]}
      />
    </>
  );
}

interface ResourceServerClientsProps {
  readonly resourceServer: ResourceServer;
  readonly clients: ReturnType<typeof useClientsOf>;
}

function ResourceServerClients({ resourceServer, clients }: ResourceServerClientsProps) {
  const { mayRegister } = usePerson();
  const list = useListState({ key: 'name', isDescending: false });
  // Searched here as long as everything is here.
  const isWhole = clients.data?.isComplete !== false;
  const found = useClientsOf(resourceServer.id, isWhole ? '' : list.q);
  const { data, error, refetch } = isWhole ? clients : found;
  const all = data?.items.map((client) => ({ client, resourceServer })) ?? [];
  const rows = isWhole ? all.filter(searchOf(list.q, clientTexts)) : all;
  const table = useColumns('clients', columnsOfClients(), rows);
  if (data === undefined || error !== null) return <Waiting error={error} refetch={refetch} />;
  return (
    <>
      {(all.length > 0 || list.q !== '') && (
        <div className="toolbar">
          <SearchBox label={t('server.clients.search')} value={list.q} onSearch={(q) => list.set({ q })} />
          {table.choice}
        </div>
      )}
      <DataTable
        caption={t('server.clients.of', { resourceServer: resourceServer.name })}
        noun="client"
        columns={table.columns}
        rows={rows}
        found={data}
        rowKey={({ client }) => client.id}
        sorting={list.sorting}
        onSort={list.setSorting}
        page={list.page}
        onPage={list.setPage}
        footer={
          <>
            {table.same}
            <FirstOnly list={data} />
          </>
        }
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
