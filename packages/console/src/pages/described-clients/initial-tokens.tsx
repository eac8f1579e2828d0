import { useQuery } from '@tanstack/react-query';
import { type InitialToken, readAll } from '@watchword/admin-client';
import { useState } from 'react';
import { readWhole, settingsQuery, useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { SecretDialog } from '../../components/dialogs/secret-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import type { Sorting } from '../../components/tables/rows.ts';
import { actionColumn, timeColumn } from '../../components/tables/usual-columns.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { Button } from '../../controls/button.tsx';
import { Icon } from '../../controls/icon.tsx';
import { TextInput } from '../../controls/inputs.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { numberText } from '../../format/count.ts';
import { Link } from '../../router/link.tsx';
import { routeTo } from '../../router/place.ts';
import { routes } from '../../router/routes.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';

const settingName = 'clients.registration';

/** Who can register clients at the server: what the setting says, and the tokens for it. Nothing where it is off and nobody has a token. */
export function InitialTokens() {
  const { admin } = useEnvironment();
  const { data: settings } = useQuery(settingsQuery(admin));
  const { data, error, refetch } = useQuery({
    queryKey: ['initialTokens'],
    queryFn: ({ signal }) => readAll((page) => admin.initialTokens.list(page, { signal }), readWhole),
  });
  const mode = settings?.items.find(({ name }) => name === settingName)?.value;
  if (data?.items.length === 0 && mode !== 'tokens') return null;
  const setting = (
    <Link to={routeTo(routes.settings, { q: settingName })}>
      <code>{settingName}</code>
    </Link>
  );
  return (
    <section className="part stack">
      <h2>{t('audit.show.initialToken')}</h2>
      {mode === 'tokens' ? (
        <p className="quiet">{t('initialTokens.lead')}</p>
      ) : (
        <p className="warning">{rich('initialTokens.unused', { setting })}</p>
      )}
      {data === undefined ? (
        <Waiting error={error} refetch={refetch} rows={2} />
      ) : (
        <TokenTable tokens={data.items} />
      )}
    </section>
  );
}

function TokenTable({ tokens }: { readonly tokens: readonly InitialToken[] }) {
  const { mayWrite } = usePerson();
  const [sorting, setSorting] = useState<Sorting>({ key: 'created', isDescending: true });
  const [page, setPage] = useState(1);
  const [ending, setEnding] = useState<InitialToken>();
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<string>();
  const actions = actionColumn<InitialToken>(
    ({ note, id }) => t('described.actions', { client: note || id }),
    (token) => [{ label: t('initialTokens.end'), onClick: () => setEnding(token), isDangerous: true }],
  );
  return (
    <>
      <DataTable
        caption={t('audit.show.initialToken')}
        noun="token"
        columns={mayWrite ? [...columns(), actions] : columns()}
        rows={tokens}
        rowKey={({ id }) => id}
        sorting={sorting}
        onSort={setSorting}
        page={page}
        onPage={setPage}
        empty={<p className="quiet">{t('initialTokens.none')}</p>}
      />
      {mayWrite && (
        <p>
          <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => setMaking(true)}>
            {t('initialTokens.make')}
          </Button>
        </p>
      )}
      {isMaking && <MakeDialog onMade={setMade} onClose={() => setMaking(false)} />}
      {made !== undefined && (
        <SecretDialog
          shown={{
            title: t('initialTokens.make'),
            kind: 'token',
            secret: made,
            advice: <p>{t('initialTokens.use')}</p>,
          }}
          onClose={() => setMade(undefined)}
        />
      )}
      {ending !== undefined && <EndTokenDialog token={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

const columns = (): readonly Column<InitialToken>[] => [
  {
    key: 'note',
    header: t('hosts.note'),
    isFlexible: true,
    value: ({ note }) => note,
    cell: ({ note, id }) => (note === '' ? <code>{id}</code> : <bdi>{note}</bdi>),
  },
  {
    key: 'clients',
    header: t('clients.title'),
    align: 'end',
    value: ({ clients }) => clients,
    cell: ({ clients, maxClients }) => (
      <>
        {numberText(clients)}
        {maxClients > 0 && ` / ${numberText(maxClients)}`}
      </>
    ),
  },
  timeColumn('created', t('token.issued'), ({ creationDate }) => creationDate),
  {
    key: 'expires',
    header: t('token.expires'),
    value: ({ expires }) => expires || Number.MAX_SAFE_INTEGER,
    cell: ({ expires }) => (expires === 0 ? t('lifetime.none') : <Timestamp time={expires} />),
  },
];

interface MakeDialogProps {
  readonly onMade: (token: string) => void;
  readonly onClose: () => void;
}

const daySeconds = 86_400;

function MakeDialog({ onMade, onClose }: MakeDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const [note, setNote] = useState('');
  const [days, setDays] = useState('30');
  const [most, setMost] = useState('');
  const number = (label: string, value: string, set: (value: string) => void, hint: string) => (
    <TextInput
      label={label}
      description={hint}
      inputMode="numeric"
      autoComplete="off"
      value={value}
      onChange={({ currentTarget }) => set(currentTarget.value.replaceAll(/\D/g, '').slice(0, 4))}
    />
  );
  return (
    <ConfirmDialog
      title={t('initialTokens.make')}
      action={t('initialTokens.make')}
      isHarmless
      onConfirm={async () => {
        const given = { note, lifetime: Number(days) * daySeconds, maxClients: Number(most) };
        const { token } = await admin.initialTokens.create(given);
        onMade(token);
        await refresh();
      }}
      onClose={onClose}
    >
      <TextInput
        label={t('hosts.note')}
        autoComplete="off"
        maxLength={255}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      {number(t('initialTokens.days'), days, setDays, t('initialTokens.noLimit'))}
      {number(t('clients.title'), most, setMost, t('initialTokens.noLimit'))}
    </ConfirmDialog>
  );
}

interface EndTokenDialogProps {
  readonly token: InitialToken;
  readonly onClose: () => void;
}

function EndTokenDialog({ token: { id, note }, onClose }: EndTokenDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  return (
    <ConfirmDialog
      title={t('initialTokens.endAsk', { token: note || id })}
      action={t('initialTokens.end')}
      onConfirm={async () => {
        await admin.initialTokens.end(id);
        notify(t('initialTokens.ended', { token: note || id }));
        await refresh();
      }}
      onClose={onClose}
    >
      <p>{t('initialTokens.endEffect')}</p>
    </ConfirmDialog>
  );
}
