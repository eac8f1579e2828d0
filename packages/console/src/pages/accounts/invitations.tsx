import { useQuery } from '@tanstack/react-query';
import { type Invitation, readAll } from '@watchword/admin-client';
import { useState } from 'react';
import { readWhole, useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import type { Column } from '../../components/tables/data-table.tsx';
import { Part } from '../../components/tables/part.tsx';
import { actionColumn, timeColumn } from '../../components/tables/usual-columns.tsx';
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
  return (
    <>
      <Part
        title={t('invitations.title')}
        noun="invitation"
        columns={[...columns(), ...(mayWrite ? [withdrawColumn(setWithdrawing)] : [])]}
        found={found}
        sortedBy="created"
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
  timeColumn('created', t('accounts.created'), ({ creationDate }) => creationDate),
  timeColumn('expires', t('token.expires'), ({ expires }) => expires),
];

function labels(key: 'groups' | 'roles', header: string): Column<Invitation> {
  return {
    key,
    header,
    value: (invitation) => invitation[key].join(),
    cell: (invitation) => <bdi>{invitation[key].join(', ')}</bdi>,
  };
}

const withdrawColumn = (onWithdraw: (invitation: Invitation) => void) =>
  actionColumn<Invitation>(
    (invitation) => t('invitations.actions', { name: nameOf(invitation) }),
    (invitation) => [
      { label: t('invitations.withdraw'), onClick: () => onWithdraw(invitation), isDangerous: true },
    ],
  );

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
