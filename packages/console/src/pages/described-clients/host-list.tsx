import { useQuery } from '@tanstack/react-query';
import { type ClientHost, readAll } from '@watchword/admin-client';
import { useState } from 'react';
import { readWhole, settingsQuery, useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import type { Sorting } from '../../components/tables/rows.ts';
import { actionColumn, timeColumn } from '../../components/tables/usual-columns.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { Button } from '../../controls/button.tsx';
import { Icon } from '../../controls/icon.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { Link } from '../../router/link.tsx';
import { routeTo } from '../../router/place.ts';
import { routes } from '../../router/routes.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';
import type { TypedHost } from './decide-dialog.tsx';

interface HostListProps {
  readonly onDecide: (host: TypedHost) => void;
}

/** What administrators decided about hosts, and what the setting says of all others. */
export function HostList({ onDecide }: HostListProps) {
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  const [sorting, setSorting] = useState<Sorting>({ key: 'pattern', isDescending: false });
  const [page, setPage] = useState(1);
  const [removing, setRemoving] = useState<ClientHost>();
  const { data, error, refetch } = useQuery({
    queryKey: ['clientHosts'],
    queryFn: ({ signal }) => readAll((page) => admin.clientHosts.list(page, { signal }), readWhole),
  });
  const actions = actionColumn<ClientHost>(
    ({ pattern }) => t('described.actions', { client: pattern }),
    (host) => [
      { label: t('accounts.edit'), onClick: () => onDecide(host) },
      { label: t('accounts.delete'), onClick: () => setRemoving(host), isDangerous: true },
    ],
  );
  return (
    <section className="part stack">
      <h2>{t('audit.show.clientHost')}</h2>
      <OtherHosts />
      {data === undefined ? (
        <Waiting error={error} refetch={refetch} rows={2} />
      ) : (
        <DataTable
          caption={t('audit.show.clientHost')}
          noun="host"
          columns={mayWrite ? [...columns(), actions] : columns()}
          rows={data.items}
          rowKey={({ pattern }) => pattern}
          sorting={sorting}
          onSort={setSorting}
          page={page}
          onPage={setPage}
          empty={<p className="quiet">{t('hosts.none')}</p>}
        />
      )}
      {mayWrite && (
        <p>
          <Button
            variant="default"
            leftSection={<Icon name="plus" />}
            onClick={() => onDecide({ pattern: '', effect: 'block', note: '' })}
          >
            {t('hosts.add')}
          </Button>
        </p>
      )}
      {removing !== undefined && <RemoveDialog host={removing} onClose={() => setRemoving(undefined)} />}
    </section>
  );
}

const columns = (): readonly Column<ClientHost>[] => [
  {
    key: 'pattern',
    header: t('hosts.host'),
    isFlexible: true,
    value: ({ pattern }) => pattern,
    cell: ({ pattern, note }) => (
      <>
        <code>{pattern}</code>
        {note !== '' && (
          <p className="whole-note">
            <bdi>{note}</bdi>
          </p>
        )}
      </>
    ),
  },
  {
    key: 'effect',
    header: t('keys.state'),
    value: ({ effect }) => t(`hosts.is.${effect}`),
    cell: ({ effect }) => (
      <span className={effect === 'block' ? 'warn-text' : undefined}>{t(`hosts.is.${effect}`)}</span>
    ),
  },
  timeColumn('changed', t('hosts.changed'), ({ modificationDate }) => modificationDate),
];

const settingName = 'clients.metadataDocuments';

/** What the setting says, so that the list is not taken for all there is. */
function OtherHosts() {
  const { admin } = useEnvironment();
  const { data } = useQuery(settingsQuery(admin));
  const value = data?.items.find(({ name }) => name === settingName)?.value;
  if (value === undefined) return null;
  const setting = (
    <Link to={routeTo(routes.settings, { q: settingName })}>
      <code>{settingName}</code>
    </Link>
  );
  if (value === 'off') return <p className="warning">{rich('hosts.others.off', { setting })}</p>;
  return (
    <p className="quiet">
      {Array.isArray(value)
        ? rich('hosts.others.list', { setting, hosts: <code>{value.join(', ')}</code> })
        : rich('hosts.others.on', { setting })}
    </p>
  );
}

interface RemoveDialogProps {
  readonly host: ClientHost;
  readonly onClose: () => void;
}

function RemoveDialog({ host: { pattern, effect }, onClose }: RemoveDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  return (
    <ConfirmDialog
      title={t('hosts.remove.title', { pattern })}
      action={t('action.delete')}
      onConfirm={async () => {
        await admin.clientHosts.delete(pattern);
        notify(t('hosts.remove.done', { pattern }));
        await refresh();
      }}
      onClose={onClose}
    >
      <p>{t(`hosts.remove.${effect}`)}</p>
    </ConfirmDialog>
  );
}
