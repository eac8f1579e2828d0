import type { Factor, ResourceOwner } from '@watchword/admin-client';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import type { Column } from '../../components/tables/data-table.tsx';
import { Part } from '../../components/tables/part.tsx';
import { actionColumn, timeColumn } from '../../components/tables/usual-columns.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { t } from '../../texts/texts.ts';
import { Ends, endedText } from '../accounts/ended.tsx';
import { selectionOf, type useFactorsOf } from './use-person-records.ts';

/** What is removed: one factor, or all of them. */
export type FactorRemoval = Factor | 'all';

interface FactorsPartProps {
  readonly found: ReturnType<typeof useFactorsOf>;
  readonly onRemove: (factor: Factor) => void;
}

/** Passkeys, apps for codes and the like. The page says nothing of them while there are none. */
export function FactorsPart({ found, onRemove }: FactorsPartProps) {
  const { mayWrite } = usePerson();
  return (
    <Part
      title={t('factors.title')}
      noun="factor"
      columns={[...columns(), ...(mayWrite ? [removeColumn(onRemove)] : [])]}
      found={found}
      sortedBy="created"
    />
  );
}

function kindText({ kind, count }: Factor): string {
  return kind === 'recovery_code' ? t('factors.kind.recovery_code', { count }) : t(`factors.kind.${kind}`);
}

/** Which one of several of a kind. */
function factorText(factor: Factor): string {
  return factor.name === '' ? kindText(factor) : `${kindText(factor)} ${factor.name}`;
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
    (factor) => t('factors.actions', { factor: factorText(factor) }),
    (factor) => [{ label: t('factors.remove'), onClick: () => onRemove(factor), isDangerous: true }],
  );

interface RemoveFactorsProps {
  readonly removal: FactorRemoval;
  readonly owner: ResourceOwner;
  readonly onClose: () => void;
}

export function RemoveFactors({ removal, owner, onClose }: RemoveFactorsProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const person = owner.resourceOwnerId;
  const isAll = removal === 'all';
  return (
    <ConfirmDialog
      title={isAll ? t('factors.resetAsk', { person }) : t('factors.removeAsk')}
      action={isAll ? t('factors.reset') : t('factors.remove')}
      onConfirm={async () => {
        const ended = isAll
          ? await admin.factors.reset(selectionOf(owner))
          : await admin.factors.remove(removal.id);
        notify(t('factors.removed', { person, ended: endedText(ended) }));
        await refresh();
      }}
      onClose={onClose}
    >
      {!isAll && (
        <p>
          {kindText(removal)} <bdi>{removal.name}</bdi>
        </p>
      )}
      <p>{effectText(removal)}</p>
      <Ends />
    </ConfirmDialog>
  );
}

function effectText(removal: FactorRemoval): string {
  if (removal === 'all') return t('factors.resetEffect');
  return t(removal.kind === 'trusted_browser' ? 'factors.removeBrowserEffect' : 'factors.removeEffect');
}
