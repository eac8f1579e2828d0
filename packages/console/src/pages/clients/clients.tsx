import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type AdminClient,
  AdminError,
  type Client,
  type ResourceServer,
  readAll,
} from '@watchword/admin-client';
import { readWhole, resourceServersQuery } from '../../api/queries.ts';
import { useBulk } from '../../components/bulk/use-bulk.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Loading } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { WhoRegisters } from '../../components/records/who-registers.tsx';
import { SearchBox } from '../../components/search/search-box.tsx';
import { type TableColumns, useColumns } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { FirstOnly } from '../../components/tables/first-only.tsx';
import { searchOf } from '../../components/tables/rows.ts';
import { type ListState, useListState } from '../../components/tables/use-list-state.ts';
import { Select } from '../../controls/inputs.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { routes } from '../../router/routes.ts';
import { clientId } from '../../session/authorization.ts';
import { t } from '../../texts/texts.ts';
import { useClientActions } from './bulk-actions.tsx';
import { type ClientRow, clientColumns, clientTexts } from './client-columns.tsx';
import { grantsOf } from './grants-of.ts';
import { ProfileCheck } from './profile-check.tsx';
import { RegisterClient } from './register-client.tsx';
import { ResourceServerSelect } from './resource-server-select.tsx';

const states = () => [
  { value: '', label: t('clients.all') },
  { value: 'unconfirmed', label: t('clients.unconfirmed') },
  { value: 'unused', label: t('clients.unused') },
  { value: 'useless', label: t('clients.useless') },
];

const filters: Readonly<Record<string, (client: Client) => boolean>> = {
  unconfirmed: ({ trusted }) => !trusted,
  unused: ({ lastIssued }) => lastIssued == null,
  useless: (client) => grantsOf(client).length === 0,
};

export function Clients() {
  const { isAdministrator, mayRegister } = usePerson();
  const list = useListState({ key: 'name', isDescending: false });
  const { data, rows, isWhole, error, refetch } = useShownClients(list);
  const table = useColumns('clients', clientColumns(isAdministrator), rows);
  return (
    <>
      <PageHeader
        title={t('clients.title')}
        lead={t('clients.lead')}
        actions={
          mayRegister && (data?.resourceServers.length ?? 0) > 0 && <RegisterClient chosen={list.get('of')} />
        }
      />
      {data !== undefined && (!isWhole || data.items.length > 0) && (
        <div className="toolbar">
          <SearchBox label={t('clients.search')} value={list.q} onSearch={(q) => list.set({ q })} />
          <ResourceServerSelect value={list.get('of')} onChoose={(of) => list.set({ of })} />
          {isWhole && (
            <Select
              size="xs"
              aria-label={t('table.which')}
              value={list.get('state')}
              onChange={({ currentTarget }) => list.set({ state: currentTarget.value })}
              data={states()}
            />
          )}
          {table.choice}
        </div>
      )}
      {error !== null && <Problem error={error} onRetry={refetch} />}
      {data === undefined || rows === undefined ? (
        error === null && <Loading />
      ) : (
        <ClientTable list={list} table={table} rows={rows} found={data} isWhole={isWhole} />
      )}
      {data !== undefined && data.resourceServers.length > 0 && <ProfileCheck />}
    </>
  );
}

/** Clients as long as all are here are searched here; beyond, the server searches. */
function useShownClients(list: ListState) {
  const [ofServer, state] = [list.get('of'), list.get('state')];
  const all = useAllClients();
  const isWhole = all.data?.isComplete !== false;
  const found = useAllClients(isWhole ? {} : { q: list.q, of: ofServer });
  const { data, error, refetch } = isWhole ? all : found;
  const matches = searchOf(list.q, clientTexts);
  const isShown = (row: ClientRow) =>
    matches(row) &&
    (ofServer === '' || String(row.resourceServer.id) === ofServer) &&
    (filters[state]?.(row.client) ?? true);
  return { data, error, refetch, isWhole, rows: isWhole ? data?.items.filter(isShown) : data?.items };
}

interface ClientTableProps {
  readonly list: ListState;
  readonly table: TableColumns<ClientRow>;
  readonly rows: readonly ClientRow[];
  readonly found: NonNullable<ReturnType<typeof useShownClients>['data']>;
  readonly isWhole: boolean;
}

function ClientTable({ list, table, rows, found, isWhole }: ClientTableProps) {
  const { selection, dialog } = useBulk({
    rows,
    noun: 'client',
    keyOf: ({ client }) => client.id,
    nameOf: ({ client }) => client.clientName,
    isOwn: ({ client }) => client.clientId === clientId,
    actions: useClientActions(),
  });
  return (
    <>
      <DataTable
        caption={t('clients.title')}
        noun="client"
        columns={table.columns}
        rows={rows}
        found={found}
        rowKey={({ client }) => client.id}
        sorting={list.sorting}
        onSort={list.setSorting}
        page={list.page}
        onPage={list.setPage}
        {...(selection && { selection })}
        footer={
          <>
            {table.same}
            <FirstOnly list={found} />
          </>
        }
        empty={
          <NoClients
            hasServers={found.resourceServers.length > 0}
            isFiltered={!isWhole || found.items.length > 0}
            isWhole={isWhole}
          />
        }
      />
      {dialog}
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

interface AllClientsFilter {
  /** Searched by the server. */
  readonly q?: string;
  /** Record id of the one resource server whose clients are asked for, else `''`. */
  readonly of?: string;
}

/** Clients of all resource servers, each together with its own. */
function useAllClients({ q = '', of = '' }: AllClientsFilter = {}) {
  const { admin } = useEnvironment();
  const queries = useQueryClient();
  return useQuery({
    queryKey: ['clients', 'all', q, of],
    queryFn: async ({ signal }) => {
      const [servers, clients] = await Promise.all([
        queries.fetchQuery({ ...resourceServersQuery(admin, ''), staleTime: 60_000 }),
        readAll((page) => {
          const query = { ...page, q: q || undefined, lastIssued: true };
          return of === ''
            ? admin.clients.listAll(query, { signal })
            : admin.clients.list(Number(of), query, { signal });
        }, readWhole),
      ]);
      const known = new Map(servers.items.map((server) => [server.id, server]));
      const named = clients.items.map((client) => client.resourceserver_id);
      for (const server of await lookUp(unknown(named, known), admin, signal)) known.set(server.id, server);
      return {
        resourceServers: servers.items,
        items: clients.items.flatMap((client) => {
          const resourceServer = known.get(client.resourceserver_id);
          return resourceServer === undefined ? [] : [{ client, resourceServer }];
        }),
        isComplete: clients.isComplete,
        total: clients.total,
      };
    },
    placeholderData: (before) => before,
  });
}

function unknown(ids: readonly number[], known: ReadonlyMap<number, ResourceServer>): number[] {
  return [...new Set(ids)].filter((id) => !known.has(id));
}

/** Resource servers after the first pages, or registered later. A deleted one is left out. */
async function lookUp(
  ids: readonly number[],
  admin: AdminClient,
  signal: AbortSignal,
): Promise<ResourceServer[]> {
  const found = await inBatches(ids, 6, async (id) => {
    try {
      return [(await admin.resourceServers.get(id, { signal })).record];
    } catch (error) {
      if (error instanceof AdminError && error.code === 'not_found') return [];
      throw error;
    }
  });
  return found.flat();
}

/** Works on all items, on so many at a time; results are in the order of the items. */
async function inBatches<Item, Result>(
  items: readonly Item[],
  size: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += size) {
    results.push(...(await Promise.all(items.slice(start, start + size).map(work))));
  }
  return results;
}
