import { useQuery } from '@tanstack/react-query';
import { type Confirmation, type ConfirmationQuery, readAll } from '@watchword/admin-client';
import { useState } from 'react';
import { readWhole, useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import type { Column } from '../../components/tables/data-table.tsx';
import { Part } from '../../components/tables/part.tsx';
import { actionColumn, timeColumn } from '../../components/tables/usual-columns.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { t } from '../../texts/texts.ts';

interface ConfirmationsProps {
  readonly title: string;
  /** Of which account, or for what. */
  readonly of: Pick<ConfirmationQuery, 'accountId' | 'purpose'>;
}

/** What people were asked by mail to confirm. The page says nothing of it while there is nothing. */
export function Confirmations({ title, of }: ConfirmationsProps) {
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  const [ending, setEnding] = useState<Confirmation>();
  const found = useQuery({
    queryKey: ['confirmations', of],
    queryFn: ({ signal }) =>
      readAll((page) => admin.confirmations.list({ ...page, ...of }, { signal }), readWhole),
  });
  return (
    <>
      <Part
        title={title}
        noun="confirmation"
        columns={[...columns(of.purpose === undefined), ...(mayWrite ? [endColumn(setEnding)] : [])]}
        found={found}
        sortedBy="created"
      />
      {ending !== undefined && <EndDialog confirmation={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function columns(withPurpose: boolean): readonly Column<Confirmation>[] {
  return [
    {
      key: 'address',
      header: t('account.email'),
      isFlexible: true,
      value: ({ address }) => address,
      cell: ({ address, purpose }) => (
        <>
          <bdi>{address}</bdi>
          {withPurpose && <p className="row-note">{t(`confirmation.${purpose}`)}</p>}
        </>
      ),
    },
    timeColumn('created', t('confirmations.asked'), ({ creationDate }) => creationDate),
    timeColumn('expires', t('token.expires'), ({ expires }) => expires),
  ];
}

const endColumn = (onEnd: (confirmation: Confirmation) => void) =>
  actionColumn<Confirmation>(
    ({ address }) => t('confirmations.actions', { address }),
    (confirmation) => [
      { label: t('confirmations.end'), onClick: () => onEnd(confirmation), isDangerous: true },
    ],
  );

interface EndDialogProps {
  readonly confirmation: Confirmation;
  readonly onClose: () => void;
}

function EndDialog({ confirmation: { id, address, purpose }, onClose }: EndDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  return (
    <ConfirmDialog
      title={t('confirmations.endAsk')}
      action={t('confirmations.end')}
      onConfirm={async () => {
        await admin.confirmations.end(id);
        notify(t('confirmations.ended'));
        await refresh();
      }}
      onClose={onClose}
    >
      <p>
        <bdi>{address}</bdi>: {t(`confirmation.${purpose}`)}
      </p>
      <p>{t('confirmations.endEffect')}</p>
    </ConfirmDialog>
  );
}
