import type { DescribedClient } from '@watchword/admin-client';
import { useState } from 'react';
import { usePages } from '../../api/use-pages.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loading } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { Scopes } from '../../components/records/scopes.tsx';
import { SearchBox } from '../../components/search/search-box.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { LastUse } from '../../components/tables/last-use.tsx';
import { More } from '../../components/tables/more.tsx';
import { RowMenu } from '../../components/tables/row-menu.tsx';
import { useListState } from '../../components/tables/use-list-state.ts';
import { actionColumn } from '../../components/tables/usual-columns.tsx';
import { Button } from '../../controls/button.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { count, numberText } from '../../format/count.ts';
import { Link } from '../../router/link.tsx';
import { routeTo } from '../../router/place.ts';
import { clientRoute, routes } from '../../router/routes.ts';
import { t } from '../../texts/texts.ts';
import { DecideDialog, type TypedHost } from './decide-dialog.tsx';
import { EndDialog, type Ending } from './end-dialog.tsx';
import { HostList } from './host-list.tsx';
import { InitialTokens } from './initial-tokens.tsx';

/** The clients that nobody registered here, by the host that is responsible for them, and what is decided about hosts. */
export function DescribedClients() {
  const { mayWrite } = usePerson();
  const [deciding, setDeciding] = useState<TypedHost>();
  const [ending, setEnding] = useState<Ending>();
  return (
    <>
      <PageHeader
        title={t('described.title')}
        lead={t('described.lead')}
        actions={
          mayWrite && (
            <Button variant="default" onClick={() => setEnding({ all: true })}>
              {t('described.everything')}
            </Button>
          )
        }
      />
      <ClientList onEnd={setEnding} onDecide={setDeciding} />
      <HostList onDecide={setDeciding} />
      <InitialTokens />
      {ending !== undefined && <EndDialog ending={ending} onClose={() => setEnding(undefined)} />}
      {deciding !== undefined && <DecideDialog host={deciding} onClose={() => setDeciding(undefined)} />}
    </>
  );
}

const columns = (): readonly Column<DescribedClient>[] => [
  {
    key: 'name',
    header: t('servers.name'),
    isFlexible: true,
    value: ({ clientName }) => clientName,
    cell: ({ id, resourceserver_id, clientId, clientName, allowed }) => (
      <>
        <Link to={clientRoute(resourceserver_id, id)} className="row-link">
          <bdi>{clientName}</bdi>
        </Link>
        <p className="whole-note">
          <code>{clientId}</code>
        </p>
        {!allowed && <p className="warn-text">{t('described.notAllowed')}</p>}
      </>
    ),
  },
  {
    key: 'may',
    header: t('scopes.label'),
    value: (client) => scopesOf(client).length,
    cell: (client) => <Scopes scopes={scopesOf(client)} />,
  },
  {
    key: 'users',
    header: t('described.users'),
    align: 'end',
    value: ({ users }) => users,
    cell: ({ clientId, users }) => (
      <Link to={routeTo(routes.access, { client: clientId })}>{numberText(users)}</Link>
    ),
  },
  {
    key: 'lastUse',
    header: t('clients.lastUse'),
    value: ({ lastIssued }) => lastIssued ?? 0,
    cell: ({ lastIssued }) => <LastUse time={lastIssued} />,
  },
];

/** Those of resource servers come after their names. */
function scopesOf({ scopes, otherResourceServers }: DescribedClient): readonly string[] {
  return [
    ...scopes,
    ...otherResourceServers.flatMap((other) =>
      other.scopes.map((scope) => `${other.resourceServerName}: ${scope}`),
    ),
  ];
}

interface ClientListProps {
  readonly onEnd: (ending: Ending) => void;
  readonly onDecide: (host: TypedHost) => void;
}

function ClientList({ onEnd, onDecide }: ClientListProps) {
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  const list = useListState({ key: 'lastUse', isDescending: true });
  const { items, error, refetch, ...more } = usePages(['describedClients', list.q], (page, options) =>
    admin.describedClients.list({ ...page, q: list.q || undefined }, options),
  );
  const actions = actionColumn<DescribedClient>(
    ({ clientId }) => t('described.actions', { client: clientId }),
    (client) => [{ label: t('described.end'), onClick: () => onEnd({ client }), isDangerous: true }],
  );
  const hostOf = ({ host }: DescribedClient) => host ?? '';
  return (
    <>
      <div className="toolbar">
        <SearchBox label={t('described.search')} value={list.q} onSearch={(q) => list.set({ q })} />
      </div>
      {error !== null && <Problem error={error} onRetry={refetch} />}
      {items === undefined ? (
        error === null && <Loading rows={2} />
      ) : (
        <DataTable
          caption={t('described.title')}
          noun="client"
          columns={mayWrite ? [...columns(), actions] : columns()}
          rows={items}
          rowKey={({ id }) => id}
          groups={{
            of: hostOf,
            head: (host) => (
              <>
                {host === '' ? <span>{t('described.registered')}</span> : <bdi>{host}</bdi>}
                <span className="quiet">
                  {count(items.filter((each) => hostOf(each) === host).length, 'client')}
                </span>
                {mayWrite && (
                  <RowMenu
                    label={t('described.actions', { client: host || t('described.registered') })}
                    actions={[
                      {
                        label: t('described.endAll'),
                        onClick: () => onEnd(host === '' ? { registered: true } : { host }),
                        isDangerous: true,
                      },
                      ...(host === ''
                        ? []
                        : [
                            {
                              label: t('described.block'),
                              // Patterns are without a port.
                              onClick: () =>
                                onDecide({
                                  pattern: new URL(`https://${host}`).hostname,
                                  effect: 'block',
                                  note: '',
                                }),
                              isDangerous: true,
                            },
                          ]),
                    ]}
                  />
                )}
              </>
            ),
          }}
          sorting={list.sorting}
          onSort={list.setSorting}
          page={list.page}
          onPage={list.setPage}
          found={{ isComplete: !more.hasMore, total: undefined }}
          footer={<More {...more} />}
          empty={<EmptyState title={t(list.q === '' ? 'described.none' : 'server.clients.noneFits')} />}
        />
      )}
    </>
  );
}
