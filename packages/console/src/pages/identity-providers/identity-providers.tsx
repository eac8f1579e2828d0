import { useQuery } from '@tanstack/react-query';
import { type IdentityProvider, readAll } from '@watchword/admin-client';
import { useState } from 'react';
import { readWhole, useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Loading } from '../../components/loading.tsx';
import { useNotice } from '../../components/notices.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { SearchBox } from '../../components/search/search-box.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { searchOf } from '../../components/tables/rows.ts';
import { useListState } from '../../components/tables/use-list-state.ts';
import { Button } from '../../controls/button.tsx';
import { Select } from '../../controls/inputs.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { count, numberText } from '../../format/count.ts';
import { routes } from '../../router/routes.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';
import { AuthenticatorList } from './authenticator-list.tsx';

const columns = (): readonly Column<IdentityProvider>[] => [
  {
    key: 'name',
    header: t('providers.name'),
    value: ({ identityProvider }) => identityProvider,
    cell: ({ identityProvider }) => <code>{identityProvider}</code>,
  },
  {
    key: 'state',
    header: t('providers.state'),
    value: ({ configured }) => stateText(configured),
    cell: ({ configured }) => (
      <span className={configured === false ? 'warn-text' : undefined}>{stateText(configured)}</span>
    ),
  },
  {
    key: 'sessions',
    header: t('providers.logins'),
    align: 'end',
    value: ({ loginSessions }) => loginSessions,
    cell: ({ loginSessions }) => numberText(loginSessions),
  },
  {
    key: 'grants',
    header: t('providers.grants'),
    align: 'end',
    value: ({ grants }) => grants,
    cell: ({ grants }) => numberText(grants),
  },
  {
    key: 'consents',
    header: t('providers.consents'),
    align: 'end',
    value: ({ consents }) => consents,
    cell: ({ consents }) => numberText(consents),
  },
];

/** The identity providers whose users have sessions, grants or consents, with a way to revoke them. */
export function IdentityProviders() {
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  const list = useListState({ key: 'name', isDescending: false });
  const [ending, setEnding] = useState<IdentityProvider>();
  const only = list.get('configured');
  const { data, error, refetch } = useQuery({
    queryKey: ['identityProviders'],
    queryFn: ({ signal }) => readAll((page) => admin.identityProviders.list(page, { signal }), readWhole),
  });
  const matches = searchOf(list.q, ({ identityProvider }: IdentityProvider) => [identityProvider]);
  const rows = data?.items.filter((row) => matches(row) && (only === '' || String(row.configured) === only));
  const actions: Column<IdentityProvider> = {
    key: 'actions',
    header: '',
    align: 'end',
    cell: (row) => (
      <Button variant="default" size="compact-xs" onClick={() => setEnding(row)}>
        {t('providers.revokeAll')}
      </Button>
    ),
  };
  return (
    <>
      <PageHeader
        title={t('providers.title')}
        lead={t('providers.lead')}
        actions={
          mayWrite && (
            <LinkButton to={routes.newIdentityProvider} icon="plus">
              {t('provider.new')}
            </LinkButton>
          )
        }
      />
      <div className="stack">
        <h2>{t('provider.ways')}</h2>
        <AuthenticatorList />
        <h2>{t('providers.users')}</h2>
        <div className="toolbar">
          <SearchBox label={t('providers.search')} value={list.q} onSearch={(q) => list.set({ q })} />
          <Select
            size="xs"
            aria-label={t('table.which')}
            value={only}
            onChange={({ currentTarget }) => list.set({ configured: currentTarget.value })}
            data={[
              { value: '', label: t('providers.all') },
              { value: 'false', label: t('providers.absent') },
              { value: 'true', label: t('providers.configured') },
            ]}
          />
        </div>
      </div>
      {error !== null && <Problem error={error} onRetry={refetch} />}
      {rows === undefined ? (
        error === null && <Loading />
      ) : (
        <DataTable
          caption={t('providers.title')}
          noun="identityProvider"
          columns={mayWrite ? [...columns(), actions] : columns()}
          rows={rows}
          found={data}
          rowKey={({ identityProvider }) => identityProvider}
          sorting={list.sorting}
          onSort={list.setSorting}
          page={list.page}
          onPage={list.setPage}
          empty={
            <EmptyState title={t('providers.none')}>
              <p>{t('providers.noneAdvice')}</p>
            </EmptyState>
          }
        />
      )}
      {ending !== undefined && <EndDialog identityProvider={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

/** Whether the server is configured with an identity provider; `null` while this is unknown. */
function stateText(configured: boolean | null): string {
  if (configured === null) return t('providers.isUnknown');
  return t(configured ? 'providers.isConfigured' : 'providers.isAbsent');
}

interface EndDialogProps {
  readonly identityProvider: IdentityProvider;
  readonly onClose: () => void;
}

/** Revokes what the users of an identity provider have, after their number was shown. */
function EndDialog({ identityProvider: shown, onClose }: EndDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const { identityProvider: name, configured } = shown;

  async function end() {
    const ended = await admin.identityProviders.end(name);
    const { loginSessions: logins, grants, consents } = ended;
    notify(t('providers.end.done', { logins, grants, consents }));
    await refresh();
  }

  return (
    <ConfirmDialog
      title={t('providers.end.title', { identityProvider: name })}
      action={t('providers.end.action')}
      // The users of any other identity provider cannot log in.
      typed={configured === false ? undefined : name}
      onConfirm={end}
      onClose={onClose}
    >
      <p>{rich('providers.end.lead', { identityProvider: <code>{name}</code> })}</p>
      <ul className="consequences">
        <li>{t('providers.end.logins', { count: shown.loginSessions })}</li>
        <li>{t('providers.end.grants', { count: shown.grants })}</li>
        <li>{count(shown.consents, 'rememberedConsent')}</li>
      </ul>
      {configured !== false && (
        <p>{t(configured === null ? 'providers.end.maybeConfigured' : 'providers.end.configured')}</p>
      )}
    </ConfirmDialog>
  );
}
