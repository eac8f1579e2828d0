import { useQuery } from '@tanstack/react-query';
import { type LoginSession, type ResourceOwner, readAll } from '@watchword/admin-client';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import type { Column } from '../../components/tables/data-table.tsx';
import { RowMenu } from '../../components/tables/row-menu.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { t } from '../../texts/texts.ts';
import { Part } from './part.tsx';
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
        columns={[...sessionColumns(), ...(mayWrite ? [actionColumn(setEnding)] : [])]}
        found={found}
        sortedBy="created"
        empty={t('person.noLogins')}
      />
      {ending !== undefined && <EndSessionDialog session={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function sessionColumns(): readonly Column<LoginSession>[] {
  const time = (
    key: string,
    header: string,
    of: (session: LoginSession) => number,
  ): Column<LoginSession> => ({
    key,
    header,
    value: of,
    cell: (session) => <Timestamp time={of(session)} />,
  });
  return [
    {
      key: 'authenticator',
      header: t('person.loggedInBy'),
      value: ({ authenticator }) => authenticator,
      cell: ({ authenticator }) => <bdi>{authenticator}</bdi>,
    },
    time('created', t('access.since'), ({ creationDate }) => creationDate),
    time('used', t('person.lastUsed'), ({ lastUsed }) => lastUsed),
    time('expires', t('token.expires'), ({ expires }) => expires),
  ];
}

function actionColumn(onEnd: (session: LoginSession) => void): Column<LoginSession> {
  return {
    key: 'actions',
    header: '',
    align: 'end',
    cell: (session) => (
      <RowMenu
        label={t('person.loginActions', { authenticator: session.authenticator })}
        actions={[{ label: t('person.endLogin'), onClick: () => onEnd(session), isDangerous: true }]}
      />
    ),
  };
}

interface EndSessionDialogProps {
  readonly session: LoginSession;
  readonly onClose: () => void;
}

function EndSessionDialog({ session: { id }, onClose }: EndSessionDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  return (
    <ConfirmDialog
      title={t('person.endLoginAsk')}
      action={t('person.endLogin')}
      onConfirm={async () => {
        await admin.loginSessions.end(id);
        notify(t('person.endLoginDone'));
        await refresh();
      }}
      onClose={onClose}
    >
      <p>{t('person.endLoginEffect')}</p>
    </ConfirmDialog>
  );
}
