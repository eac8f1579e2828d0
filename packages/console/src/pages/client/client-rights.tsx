import { useQuery } from '@tanstack/react-query';
import { type Client, type Right, readAll } from '@watchword/admin-client';
import { useState } from 'react';
import { readWhole, useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { Owner } from '../../components/records/owner.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import type { Sorting } from '../../components/tables/rows.ts';
import { actionColumn, timeColumn } from '../../components/tables/usual-columns.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { Button } from '../../controls/button.tsx';
import { Checkbox } from '../../controls/choices.tsx';
import { Icon } from '../../controls/icon.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { t } from '../../texts/texts.ts';

/** Each once; to write includes to read. */
const rights: readonly Right['right'][] = [
  ...(['records:read', 'records:write', 'records:all:read', 'records:all:write'] as const),
  ...(['accounts:read', 'accounts:write', 'grants:read', 'grants:write'] as const),
  ...(['audit:read', 'errors:read', 'keys:read', 'keys:write'] as const),
];

/** What a client that acts for itself can administer, and who gave it. */
export function ClientRights({ client }: { readonly client: Client }) {
  const { clientId, clientName } = client;
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  const refresh = useRefresh();
  const notify = useNotice();
  const [sorting, setSorting] = useState<Sorting>({ key: 'right', isDescending: false });
  const [page, setPage] = useState(1);
  const [isGiving, setGiving] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['rights', clientId],
    queryFn: ({ signal }) =>
      readAll((next) => admin.rights.list({ ...next, clientId }, { signal }), readWhole),
  });
  const end = async (right?: string) => {
    await admin.rights.end(clientId, right);
    notify(t('rights.ended', { client: clientName }));
    await refresh();
  };
  const actions = actionColumn<Right>(
    ({ right }) => t('described.actions', { client: right }),
    ({ right }) => [{ label: t('rights.end'), onClick: () => end(right), isDangerous: true }],
  );
  if (data === undefined) return <Waiting error={error} refetch={refetch} rows={2} />;
  return (
    <section className="part stack">
      <p className="quiet">{t('rights.lead')}</p>
      <DataTable
        caption={t('rights.title')}
        noun="right"
        columns={mayWrite ? [...columns(), actions] : columns()}
        rows={data.items}
        rowKey={({ right }) => right}
        sorting={sorting}
        onSort={setSorting}
        page={page}
        onPage={setPage}
        empty={<p className="quiet">{t('rights.none')}</p>}
      />
      {mayWrite && (
        <p className="actions">
          <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => setGiving(true)}>
            {t('rights.give')}
          </Button>
          {data.items.length > 0 && (
            <Button variant="default" onClick={() => end()}>
              {t('rights.endAll')}
            </Button>
          )}
        </p>
      )}
      {isGiving && (
        <GiveDialog
          client={client}
          held={data.items.map(({ right }) => right)}
          onClose={() => setGiving(false)}
        />
      )}
    </section>
  );
}

const columns = (): readonly Column<Right>[] => [
  {
    key: 'right',
    header: t('rights.right'),
    isFlexible: true,
    value: ({ right }) => right,
    cell: ({ right }) => (
      <>
        <code>{right}</code> {textOf(right)}
      </>
    ),
  },
  {
    key: 'givenBy',
    header: t('rights.givenBy'),
    value: ({ givenBy }) => givenBy,
    cell: ({ givenBy: owner, givenByAuthority: ownerAuthority }) => <Owner {...{ owner, ownerAuthority }} />,
  },
  timeColumn('given', t('rights.given'), ({ creationDate }) => creationDate),
];

/** Its subject, and whether it is only seen. */
function textOf(right: Right['right']): string {
  const [, subject = '', access] = /^(.*):(\w+)$/.exec(right) ?? [];
  const name = subject === 'records:all' ? 'all' : (subject as 'records' | 'accounts');
  return t(`rights.of.${name}`, { access: t(access === 'write' ? 'rights.write' : 'rights.read') });
}

interface GiveDialogProps {
  readonly client: Client;
  readonly held: readonly Right['right'][];
  readonly onClose: () => void;
}

function GiveDialog({ client: { clientId, clientName }, held, onClose }: GiveDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const [chosen, setChosen] = useState<readonly Right['right'][]>([]);
  return (
    <ConfirmDialog
      title={t('rights.giveTitle', { client: clientName })}
      action={t('rights.give')}
      isHarmless
      onConfirm={async () => {
        await admin.rights.give(clientId, chosen);
        notify(t('rights.done', { client: clientName }));
        await refresh();
      }}
      onClose={onClose}
    >
      <p>{t('rights.giveLead')}</p>
      {rights
        .filter((right) => !held.includes(right))
        .map((right) => (
          <Checkbox
            key={right}
            label={<code>{right}</code>}
            description={textOf(right)}
            checked={chosen.includes(right)}
            onChange={({ currentTarget: { checked } }) =>
              setChosen(checked ? [...chosen, right] : chosen.filter((other) => other !== right))
            }
          />
        ))}
    </ConfirmDialog>
  );
}
