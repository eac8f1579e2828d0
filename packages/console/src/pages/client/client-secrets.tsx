import { useQuery } from '@tanstack/react-query';
import { type Client, type ClientSecret, readAll } from '@watchword/admin-client';
import { useState } from 'react';
import { readWhole, useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { SecretDialog, type ShownSecret } from '../../components/dialogs/secret-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import type { Sorting } from '../../components/tables/rows.ts';
import { actionColumn, timeColumn } from '../../components/tables/usual-columns.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { Button } from '../../controls/button.tsx';
import { Icon } from '../../controls/icon.tsx';
import { Select, TextInput } from '../../controls/inputs.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { durationText } from '../../format/time.ts';
import { t } from '../../texts/texts.ts';
import { shownSecret } from './new-client.tsx';

type Asked = { readonly what: 'add' } | { readonly what: 'change' | 'remove'; readonly secret: ClientSecret };

/** The secrets of a client one by one, with their ends and when each was last used. */
export function ClientSecrets({ client }: { readonly client: Client }) {
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  const [sorting, setSorting] = useState<Sorting>({ key: 'created', isDescending: true });
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<Asked | undefined>();
  const [shown, setShown] = useState<ShownSecret | undefined>();
  const address = { resourceServerId: client.resourceserver_id, id: client.id };
  const { data, error, refetch } = useQuery({
    queryKey: ['clients', 'secrets', client.id],
    queryFn: ({ signal }) =>
      readAll((next) => admin.clientSecrets.list(address, next, { signal }), readWhole),
  });
  if (data === undefined) return <Waiting error={error} refetch={refetch} rows={2} />;
  const mayChange = mayWrite && client.managedBy === '';
  const actions = actionColumn<ClientSecret>(
    (secret) => t('described.actions', { client: nameOf(secret) }),
    (secret) => [
      { label: t('secrets.change'), onClick: () => setAsked({ what: 'change', secret }) },
      { label: t('factors.remove'), onClick: () => setAsked({ what: 'remove', secret }), isDangerous: true },
    ],
  );
  const dialog = { client, all: data.items, onClose: () => setAsked(undefined) };
  return (
    <section className="part stack">
      <p className="quiet">{t('secrets.lead')}</p>
      <DataTable
        caption={t('secrets.title')}
        noun="secret"
        columns={mayChange ? [...columns(), actions] : columns()}
        rows={data.items}
        rowKey={({ id }) => id}
        sorting={sorting}
        onSort={setSorting}
        page={page}
        onPage={setPage}
        empty={<p className="quiet">{t('client.danger.rotate.noSecret')}</p>}
      />
      {mayChange && (
        <p className="actions">
          <Button
            variant="default"
            leftSection={<Icon name="plus" />}
            onClick={() => setAsked({ what: 'add' })}
          >
            {t('secrets.add')}
          </Button>
        </p>
      )}
      {asked?.what === 'add' && <DetailsDialog {...dialog} onShow={setShown} />}
      {asked?.what === 'change' && <DetailsDialog {...dialog} secret={asked.secret} onShow={setShown} />}
      {asked?.what === 'remove' && <RemoveDialog {...dialog} secret={asked.secret} />}
      {shown !== undefined && <SecretDialog shown={shown} onClose={() => setShown(undefined)} />}
    </section>
  );
}

function nameOf({ id, description }: ClientSecret): string {
  return description === '' ? String(id) : `${id} (${description})`;
}

const columns = (): readonly Column<ClientSecret>[] => [
  {
    key: 'description',
    header: t('field.description'),
    isFlexible: true,
    value: ({ id }) => id,
    cell: ({ id, description }) => (
      <>
        <code>{id}</code> {description}
      </>
    ),
  },
  {
    key: 'created',
    header: t('person.created'),
    value: ({ id }) => id,
    cell: ({ creationDate }) => creationDate !== null && <Timestamp time={creationDate} />,
  },
  timeColumn('lastUsed', t('person.lastUsed'), ({ lastUsed }) => lastUsed ?? 0),
  timeColumn('expires', t('token.expires'), ({ expires }) => expires),
];

interface SecretDialogsProps {
  readonly client: Client;
  readonly all: readonly ClientSecret[];
  readonly onClose: () => void;
}

interface DetailsDialogProps extends SecretDialogsProps {
  /** `undefined`: a new one is made. */
  readonly secret?: ClientSecret;
  readonly onShow: (shown: ShownSecret) => void;
}

/** Days; 0 = never. */
const ends = [0, 1, 7, 30, 90, 180, 365];
const day = 86_400;
const unchanged = 'unchanged';

function DetailsDialog({ client, secret, onShow, onClose }: DetailsDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const [description, setDescription] = useState(secret?.description ?? '');
  const [days, setDays] = useState(secret === undefined ? '0' : unchanged);
  const address = { resourceServerId: client.resourceserver_id, id: client.id };
  const save = async () => {
    const expires = days === '0' ? 0 : Date.now() + Number(days) * day * 1000;
    const details = { description, ...(days !== unchanged && { expires }) };
    if (secret === undefined) {
      const made = await admin.clientSecrets.add(address, details);
      onShow(shownSecret(client, made.secret, t('client.secret.new')));
    } else await admin.clientSecrets.update({ ...address, secretId: secret.id }, details);
    await refresh();
  };
  return (
    <ConfirmDialog
      title={secret === undefined ? t('secrets.add') : t('secrets.changeOf', { secret: nameOf(secret) })}
      action={secret === undefined ? t('secrets.add') : t('action.save')}
      isHarmless
      onConfirm={save}
      onClose={onClose}
    >
      {secret === undefined && <p>{t('secrets.addLead')}</p>}
      <TextInput
        label={t('field.description')}
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
      />
      <Select
        label={t('token.expires')}
        data={[
          ...(secret === undefined ? [] : [{ label: t('secrets.unchanged'), value: unchanged }]),
          ...ends.map((each) => ({
            label: each === 0 ? t('time.never') : durationText(each * day),
            value: String(each),
          })),
        ]}
        value={days}
        onChange={({ currentTarget }) => setDays(currentTarget.value)}
      />
    </ConfirmDialog>
  );
}

function RemoveDialog({
  client,
  all,
  secret,
  onClose,
}: SecretDialogsProps & { readonly secret: ClientSecret }) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const now = Date.now();
  const isValid = ({ expires }: ClientSecret) => expires === 0 || expires > now;
  const isLast = isValid(secret) && !all.some((each) => each.id !== secret.id && isValid(each));
  const { resourceserver_id: resourceServerId, id } = client;
  return (
    <ConfirmDialog
      title={t('secrets.removeAsk', { secret: nameOf(secret) })}
      action={t('factors.remove')}
      typed={isLast ? client.clientId : undefined}
      onConfirm={async () => {
        await admin.clientSecrets.remove({ resourceServerId, id, secretId: secret.id }, isLast || undefined);
        notify(t('secrets.removed', { client: client.clientName }));
        await refresh();
      }}
      onClose={onClose}
    >
      <p>{t('secrets.removeLead')}</p>
      {secret.lastUsed !== null && (
        <p>
          {t('person.lastUsed')}: <Timestamp time={secret.lastUsed} />
        </p>
      )}
      {isLast && <p className="warning">{t('secrets.last')}</p>}
    </ConfirmDialog>
  );
}
