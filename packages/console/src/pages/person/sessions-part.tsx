import { useQuery } from '@tanstack/react-query';
import { type LoginSession, type ResourceOwner, readAll } from '@watchword/admin-client';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import type { Column } from '../../components/tables/data-table.tsx';
import { Part } from '../../components/tables/part.tsx';
import { actionColumn, timeColumn } from '../../components/tables/usual-columns.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { textIn } from '../../format/value.ts';
import { language, t } from '../../texts/texts.ts';
import { mostRead } from './use-person-records.ts';

/** The login sessions of the person, one for each browser. */
export function SessionsPart({ owner }: { readonly owner: ResourceOwner }) {
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  const { resourceOwnerId, resourceOwnerAuthority: identityProvider } = owner;
  const [ending, setEnding] = useState<LoginSession>();
  const found = useQuery({
    queryKey: ['loginSessions', owner],
    queryFn: ({ signal }) =>
      readAll(
        (page) => admin.loginSessions.list({ ...page, resourceOwnerId, identityProvider }, { signal }),
        mostRead,
      ),
  });
  return (
    <>
      <Part
        title={t('providers.logins')}
        noun="login"
        columns={[...sessionColumns(), ...(mayWrite ? [endColumn(setEnding)] : [])]}
        found={found}
        sortedBy="created"
        empty={t('person.noLogins')}
      />
      {ending !== undefined && <EndSessionDialog session={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function sessionColumns(): readonly Column<LoginSession>[] {
  return [
    {
      key: 'device',
      header: t('person.device'),
      value: deviceOf,
      cell: (session) => (
        <>
          <bdi>{deviceOf(session)}</bdi>
          <Origin session={session} />
        </>
      ),
    },
    {
      key: 'authenticator',
      header: t('person.loggedInBy'),
      value: ({ authenticator }) => authenticator,
      cell: ({ authenticator }) => <bdi>{authenticator}</bdi>,
    },
    timeColumn('created', t('access.since'), ({ creationDate }) => creationDate),
    timeColumn('used', t('person.lastUsed'), ({ lastUsed }) => lastUsed),
    timeColumn('expires', t('token.expires'), ({ expires }) => expires),
  ];
}

const endColumn = (onEnd: (session: LoginSession) => void) =>
  actionColumn<LoginSession>(
    (session) => t('person.loginActions', { device: deviceOf(session) }),
    (session) => [{ label: t('person.endLogin'), onClick: () => onEnd(session), isDangerous: true }],
  );

/** Browser and system. */
function deviceOf({ device }: LoginSession): string {
  return device || t('person.unknownDevice');
}

/** The network address, and where it is, as far as both are known. */
function Origin({ session: { source, places } }: { readonly session: LoginSession }) {
  const names = places.map((place) => textIn(language(), place) ?? place.en ?? Object.values(place)[0]);
  if (source === '') return null;
  return (
    <p className="row-note">
      <code>{source}</code>
      {names.length > 0 && (
        <>
          {' · '}
          <bdi>{names.join(', ')}</bdi>
        </>
      )}
    </p>
  );
}

interface EndSessionDialogProps {
  readonly session: LoginSession;
  readonly onClose: () => void;
}

function EndSessionDialog({ session, onClose }: EndSessionDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  return (
    <ConfirmDialog
      title={t('person.endLoginAsk')}
      action={t('person.endLogin')}
      onConfirm={async () => {
        await admin.loginSessions.end(session.id);
        notify(t('person.endLoginDone'));
        await refresh();
      }}
      onClose={onClose}
    >
      <div>
        <bdi>{deviceOf(session)}</bdi>
        <Origin session={session} />
      </div>
      <p>{t('person.endLoginEffect')}</p>
    </ConfirmDialog>
  );
}
