import type { ResourceServer } from '@watchword/admin-client';
import type { useClientsOf } from '../../api/queries.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Loading } from '../../components/loading.tsx';
import { Problem } from '../../components/problem.tsx';
import { usePerson } from '../../environment.ts';
import { newClientRoute } from '../../router/routes.ts';
import { useListState } from '../../router/use-list-state.ts';
import { clientColumns } from '../clients/client-columns.tsx';

interface ResourceServerClientsProps {
  readonly resourceServer: ResourceServer;
  readonly clients: ReturnType<typeof useClientsOf>;
}

export function ResourceServerClients({ resourceServer, clients }: ResourceServerClientsProps) {
  const { mayWrite } = usePerson();
  const list = useListState({ key: 'name', isDescending: false });
  const { data, error, refetch } = clients;
  if (error !== null) return <Problem error={error} onRetry={refetch} />;
  if (data === undefined) return <Loading />;
  return (
    <DataTable
      caption={`Clients of ${resourceServer.name}`}
      noun="client"
      columns={clientColumns}
      rows={data.items.map((client) => ({ client, resourceServer }))}
      rowKey={({ client }) => client.id}
      sorting={list.sorting}
      onSort={list.setSorting}
      page={list.page}
      onPage={list.setPage}
      empty={
        <EmptyState title="No client yet">
          <p>
            A client is an application that calls this API. It gets tokens from this server, and shows them
            here.
          </p>
          {mayWrite && (
            <LinkButton to={newClientRoute(resourceServer.id)} icon="plus">
              Register a client
            </LinkButton>
          )}
        </EmptyState>
      }
    />
  );
}
