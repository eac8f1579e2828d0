import type { ResourceServer } from '@watchword/admin-client';
import { useResourceServers } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Loading } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { Owner } from '../../components/records/owner.tsx';
import { Scopes } from '../../components/records/scopes.tsx';
import { WeakSecretNote } from '../../components/records/weak-secret.tsx';
import { WhoRegisters } from '../../components/records/who-registers.tsx';
import { SearchBox } from '../../components/search/search-box.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { FirstOnly } from '../../components/tables/first-only.tsx';
import { searchOf } from '../../components/tables/rows.ts';
import { useListState } from '../../components/tables/use-list-state.ts';
import { usePerson } from '../../environment.ts';
import { Link } from '../../router/link.tsx';
import { resourceServerRoute, routes } from '../../router/routes.ts';
import { t } from '../../texts/texts.ts';

export function ResourceServers() {
  const { isAdministrator, mayRegister } = usePerson();
  const list = useListState({ key: 'name', isDescending: false });
  const { q } = list;
  // Searched here as long as everything is here.
  const all = useResourceServers();
  const isWhole = all.data?.isComplete !== false;
  const found = useResourceServers(isWhole ? '' : q);
  const { data, error, refetch } = isWhole ? all : found;
  const rows = data?.items.filter(isWhole ? searchOf(q, textsOf) : () => true);
  return (
    <>
      <PageHeader
        title={t('servers.title')}
        lead={t('servers.lead')}
        actions={
          mayRegister && (
            <LinkButton to={routes.newResourceServer} icon="plus">
              {t('servers.register')}
            </LinkButton>
          )
        }
      />
      <WhoRegisters />
      {rows !== undefined && (rows.length > 0 || q !== '') && (
        <div className="toolbar">
          <SearchBox label={t('servers.search')} value={q} onSearch={(value) => list.set({ q: value })} />
        </div>
      )}
      {error !== null && <Problem error={error} onRetry={refetch} />}
      {rows === undefined ? (
        error === null && <Loading />
      ) : (
        <DataTable
          caption={t('servers.title')}
          noun="resourceServer"
          columns={isAdministrator ? [...columns(), ownerColumn()] : columns()}
          rows={rows}
          found={data}
          rowKey={({ id }) => id}
          sorting={list.sorting}
          onSort={list.setSorting}
          page={list.page}
          onPage={list.setPage}
          footer={<FirstOnly list={data} />}
          empty={
            q === '' ? (
              <EmptyState title={t('servers.none')}>
                {mayRegister && <p>{t('servers.noneAdvice')}</p>}
                {mayRegister && (
                  <LinkButton to={routes.newResourceServer} icon="plus">
                    {t('servers.registerFirst')}
                  </LinkButton>
                )}
              </EmptyState>
            ) : (
              <EmptyState title={t('servers.noneFits', { q })}>
                <p>{t('servers.noneFitsAdvice')}</p>
              </EmptyState>
            )
          }
        />
      )}
    </>
  );
}

const columns = (): readonly Column<ResourceServer>[] => [
  {
    key: 'name',
    header: t('servers.name'),
    value: ({ name }) => name,
    cell: ({ id, name, description }) => (
      <>
        <Link to={resourceServerRoute(id)} className="row-link">
          <bdi>{name}</bdi>
        </Link>
        {description !== '' && (
          <p className="row-note">
            <bdi>{description}</bdi>
          </p>
        )}
      </>
    ),
  },
  {
    key: 'key',
    header: t('servers.key'),
    value: ({ key }) => key,
    cell: (record) => (
      <>
        <code>{record.key}</code>
        <WeakSecretNote record={record} />
      </>
    ),
  },
  {
    key: 'scopes',
    header: t('scopes.label'),
    value: ({ scopes }) => scopes.length,
    cell: ({ scopes }) => <Scopes scopes={scopes} />,
  },
  {
    key: 'contact',
    header: t('servers.contact'),
    value: ({ contactName }) => contactName,
    cell: ({ contactName, contactEmail }) => (
      <span title={contactEmail}>
        <bdi>{contactName}</bdi>
      </span>
    ),
  },
];

const ownerColumn = (): Column<ResourceServer> => ({
  key: 'owner',
  header: t('servers.owner'),
  value: ({ owner }) => owner,
  cell: (server) => <Owner {...server} />,
});

function textsOf({ name, key, description, contactName, contactEmail, owner }: ResourceServer) {
  return [name, key, description, contactName, contactEmail, owner];
}
