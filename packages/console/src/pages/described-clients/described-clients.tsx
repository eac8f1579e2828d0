import type { DescribedClient } from '@watchword/admin-client';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { usePages } from '../../api/use-pages.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loading } from '../../components/loading.tsx';
import { useNotice } from '../../components/notices.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { LastUse } from '../../components/tables/last-use.tsx';
import { More } from '../../components/tables/more.tsx';
import { useListState } from '../../components/tables/use-list-state.ts';
import { actionColumn } from '../../components/tables/usual-columns.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { numberText } from '../../format/count.ts';
import { Link } from '../../router/link.tsx';
import { routeTo } from '../../router/place.ts';
import { clientRoute, routes } from '../../router/routes.ts';
import { t } from '../../texts/texts.ts';
import { DecideDialog, type TypedHost } from './decide-dialog.tsx';
import { HostList } from './host-list.tsx';

/** The clients that documents describe (client ID metadata documents), and what is decided about their hosts. */
export function DescribedClients() {
  const { mayWrite } = usePerson();
  const [deciding, setDeciding] = useState<TypedHost>();
  const [ending, setEnding] = useState<DescribedClient>();
  return (
    <>
      <PageHeader title={t('described.title')} lead={t('described.lead')} />
      <ClientList
        actions={
          mayWrite
            ? [
                actionColumn<DescribedClient>(
                  ({ clientId }) => t('described.actions', { client: clientId }),
                  (client) => [
                    { label: t('described.end'), onClick: () => setEnding(client), isDangerous: true },
                    {
                      label: t('described.block'),
                      onClick: () => setDeciding({ pattern: hostOf(client), effect: 'block', note: '' }),
                      isDangerous: true,
                    },
                  ],
                ),
              ]
            : []
        }
      />
      <HostList onDecide={setDeciding} />
      {ending !== undefined && <EndDialog client={ending} onClose={() => setEnding(undefined)} />}
      {deciding !== undefined && <DecideDialog host={deciding} onClose={() => setDeciding(undefined)} />}
    </>
  );
}

/** Patterns are without a port. */
function hostOf({ clientId }: DescribedClient): string {
  return new URL(clientId).hostname;
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

function ClientList({ actions }: { readonly actions: readonly Column<DescribedClient>[] }) {
  const { admin } = useEnvironment();
  const list = useListState({ key: 'lastUse', isDescending: true });
  const { items, error, refetch, ...more } = usePages(['describedClients'], admin.describedClients.list);
  return (
    <>
      {error !== null && <Problem error={error} onRetry={refetch} />}
      {items === undefined ? (
        error === null && <Loading rows={2} />
      ) : (
        <DataTable
          caption={t('described.title')}
          noun="client"
          columns={[...columns(), ...actions]}
          rows={items}
          rowKey={({ id }) => id}
          sorting={list.sorting}
          onSort={list.setSorting}
          page={list.page}
          onPage={list.setPage}
          found={{ isComplete: !more.hasMore, total: undefined }}
          footer={<More {...more} />}
          empty={<EmptyState title={t('described.none')} />}
        />
      )}
    </>
  );
}

interface EndDialogProps {
  readonly client: DescribedClient;
  readonly onClose: () => void;
}

/** The record of such a client is what its users gave it, so it is deleted. */
function EndDialog({ client, onClose }: EndDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const { id, resourceserver_id: resourceServerId, clientId, clientName, users } = client;
  return (
    <ConfirmDialog
      title={t('described.end.title', { client: clientName })}
      action={t('endAccess.all.action')}
      onConfirm={async () => {
        await admin.clients.delete({ resourceServerId, id });
        notify(t('described.end.done', { client: clientName }));
        await refresh();
      }}
      onClose={onClose}
    >
      <p>
        <code>{clientId}</code>
      </p>
      <p>{t('endAccess.all.lead')}</p>
      <ul className="consequences">
        <li>{t('described.end.users', { count: users })}</li>
      </ul>
      <p>{t('described.end.after')}</p>
    </ConfirmDialog>
  );
}
