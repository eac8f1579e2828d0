import { useQuery } from '@tanstack/react-query';
import { type Invitation, readAll } from '@watchword/admin-client';
import { useState } from 'react';
import { readWhole, useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import type { Column } from '../../components/tables/data-table.tsx';
import { Part } from '../../components/tables/part.tsx';
import { RowMenu } from '../../components/tables/row-menu.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { t } from '../../texts/texts.ts';

/** The invitations that wait. The page says nothing of them while there are none. */
export function Invitations() {
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  const [withdrawing, setWithdrawing] = useState<Invitation>();
  const found = useQuery({
    queryKey: ['invitations'],
    queryFn: ({ signal }) => readAll((page) => admin.invitations.list(page, { signal }), readWhole),
  });
  if (found.error === null && (found.data?.items.length ?? 0) === 0) return null;
  return (
    <>
      <Part
        title={t('invitations.title')}
        noun="invitation"
        columns={[...columns(), ...(mayWrite ? [actionColumn(setWithdrawing)] : [])]}
        found={found}
        sortedBy="created"
        empty=""
      />
      {withdrawing !== undefined && (
        <WithdrawDialog invitation={withdrawing} onClose={() => setWithdrawing(undefined)} />
      )}
    </>
  );
}

const columns = (): readonly Column<Invitation>[] => [
  {
    key: 'person',
    header: t('invitations.person'),
    isFlexible: true,
    value: nameOf,
    cell: ({ email, note }) => (
      <>
        {email === '' ? t('invitations.copied') : <bdi>{email}</bdi>}
        {note !== '' && (
          <p className="row-note">
            <bdi>{note}</bdi>
          </p>
        )}
      </>
    ),
  },
  labels('groups', t('account.groups')),
  labels('roles', t('account.roles')),
  {
    key: 'invitedBy',
    header: t('invitations.invitedBy'),
    value: ({ invitedBy }) => invitedBy,
    cell: ({ invitedBy }) => <bdi>{invitedBy}</bdi>,
  },
  time('created', t('accounts.created'), ({ creationDate }) => creationDate),
  time('expires', t('token.expires'), ({ expires }) => expires),
];

function labels(key: 'groups' | 'roles', header: string): Column<Invitation> {
  return {
    key,
    header,
    value: (invitation) => invitation[key].join(),
    cell: (invitation) => <bdi>{invitation[key].join(', ')}</bdi>,
  };
}

function time(key: string, header: string, of: (invitation: Invitation) => number): Column<Invitation> {
  return { key, header, value: of, cell: (invitation) => <Timestamp time={of(invitation)} /> };
}

function actionColumn(onWithdraw: (invitation: Invitation) => void): Column<Invitation> {
  return {
    key: 'actions',
    header: '',
    align: 'end',
    cell: (invitation) => (
      <RowMenu
        label={t('invitations.actions', { name: nameOf(invitation) })}
        actions={[
          { label: t('invitations.withdraw'), onClick: () => onWithdraw(invitation), isDangerous: true },
        ]}
      />
    ),
  };
}

function nameOf({ email, note }: Invitation): string {
  return email || note || t('invitations.copied');
}

interface WithdrawDialogProps {
  readonly invitation: Invitation;
  readonly onClose: () => void;
}

function WithdrawDialog({ invitation, onClose }: WithdrawDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  return (
    <ConfirmDialog
      title={t('invitations.withdrawAsk')}
      action={t('invitations.withdraw')}
      onConfirm={async () => {
        await admin.invitations.revoke(invitation.id);
        notify(t('invitations.withdrawn'));
        await refresh();
      }}
      onClose={onClose}
    >
      <p>
        <bdi>{nameOf(invitation)}</bdi>
      </p>
      <p>{t('invitations.withdrawEffect')}</p>
    </ConfirmDialog>
  );
}
