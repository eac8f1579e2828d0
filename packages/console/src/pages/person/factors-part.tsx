import { useQuery } from '@tanstack/react-query';
import { type Factor, type ResourceOwner, readAll } from '@watchword/admin-client';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import type { Column } from '../../components/tables/data-table.tsx';
import { Part } from '../../components/tables/part.tsx';
import { actionColumn, timeColumn } from '../../components/tables/usual-columns.tsx';
import { Button } from '../../controls/button.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { t } from '../../texts/texts.ts';
import { Ends, endedText } from '../accounts/ended.tsx';
import { mostRead } from './use-person-records.ts';

/** What is removed: one factor, or all of them. */
type Removal = Factor | 'all';

/** Passkeys, apps for codes and the like. The page says nothing of them while there are none. */
export function FactorsPart({ owner }: { readonly owner: ResourceOwner }) {
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  const [removal, setRemoval] = useState<Removal>();
  const person = personOf(owner);
  const found = useQuery({
    queryKey: ['factors', person],
    queryFn: ({ signal }) =>
      readAll((page) => admin.factors.list({ ...page, ...person }, { signal }), mostRead),
  });
  return (
    <>
      <Part
        title={t('factors.title')}
        noun="factor"
        columns={[...columns(), ...(mayWrite ? [removeColumn(setRemoval)] : [])]}
        found={found}
        sortedBy="created"
      >
        {mayWrite && (
          <div className="page-actions">
            <Button variant="default" onClick={() => setRemoval('all')}>
              {t('factors.reset')}
            </Button>
          </div>
        )}
      </Part>
      {removal !== undefined && (
        <RemoveDialog removal={removal} owner={owner} onClose={() => setRemoval(undefined)} />
      )}
    </>
  );
}

function personOf({ resourceOwnerId, resourceOwnerAuthority: identityProvider }: ResourceOwner) {
  return { resourceOwnerId, identityProvider };
}

function kindText({ kind, count }: Factor): string {
  return kind === 'recovery_code' ? t('factors.kind.recovery_code', { count }) : t(`factors.kind.${kind}`);
}

const columns = (): readonly Column<Factor>[] => [
  { key: 'kind', header: t('factors.kind'), value: kindText, cell: kindText },
  {
    key: 'name',
    header: t('factors.name'),
    isFlexible: true,
    value: ({ name }) => name,
    cell: ({ name }) => <bdi>{name}</bdi>,
  },
  timeColumn('created', t('factors.added'), ({ creationDate }) => creationDate),
  timeColumn('used', t('person.lastUsed'), ({ lastUsed }) => lastUsed),
];

const removeColumn = (onRemove: (factor: Factor) => void) =>
  actionColumn<Factor>(
    (factor) => t('factors.actions', { factor: kindText(factor) }),
    (factor) => [{ label: t('factors.remove'), onClick: () => onRemove(factor), isDangerous: true }],
  );

interface RemoveDialogProps {
  readonly removal: Removal;
  readonly owner: ResourceOwner;
  readonly onClose: () => void;
}

function RemoveDialog({ removal, owner, onClose }: RemoveDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const selection = personOf(owner);
  const person = owner.resourceOwnerId;
  const isAll = removal === 'all';
  return (
    <ConfirmDialog
      title={
        isAll ? t('factors.resetAsk', { person }) : t('factors.removeAsk', { factor: kindText(removal) })
      }
      action={isAll ? t('factors.reset') : t('factors.remove')}
      onConfirm={async () => {
        const ended = isAll ? await admin.factors.reset(selection) : await admin.factors.remove(removal.id);
        notify(t('factors.removed', { person, ended: endedText(ended) }));
        await refresh();
      }}
      onClose={onClose}
    >
      {!isAll && removal.name !== '' && (
        <p>
          <bdi>{removal.name}</bdi>
        </p>
      )}
      <p>{isAll ? t('factors.resetEffect') : t('factors.removeEffect')}</p>
      <Ends />
    </ConfirmDialog>
  );
}
