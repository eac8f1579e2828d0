import { useQuery } from '@tanstack/react-query';
import { readAll, type SealingKey, type SigningKey } from '@watchword/admin-client';
import { useState } from 'react';
import { readWhole } from '../../api/queries.ts';
import { DangerZone } from '../../components/danger-zone.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { useListState } from '../../components/tables/use-list-state.ts';
import { actionColumn } from '../../components/tables/usual-columns.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { Button } from '../../controls/button.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';
import { ImportDialog } from './import-dialog.tsx';
import {
  CompromisedDialog,
  PublicKeyDialog,
  RemainingDialog,
  type RemainingKey,
  RenewDialog,
  RetireDialog,
  RotateDialog,
} from './key-dialogs.tsx';

type Action =
  | { readonly type: 'rotate' | 'import' | 'renew' }
  | { readonly type: 'show' | 'retire' | 'compromised'; readonly key: SigningKey };

const columns = (): readonly Column<SigningKey>[] => [
  {
    key: 'kid',
    header: t('keys.key'),
    value: ({ kid }) => kid,
    cell: ({ kid, algorithm, problem }) => (
      <>
        <code className="unbroken">{kid}</code> <bdi className="quiet">{algorithm}</bdi>
        {problem !== null && (
          <p className="warn-text" lang="en">
            {problem}
          </p>
        )}
      </>
    ),
  },
  {
    key: 'state',
    header: t('keys.state'),
    isFlexible: true,
    value: ({ state }) => t(`keys.state.${state}`),
    cell: ({ state }) => (
      <div>
        <span className={state === 'compromised' ? 'warn-text' : undefined}>{t(`keys.state.${state}`)}</span>
        <p className="whole-note">{t(`keys.about.${state}`)}</p>
      </div>
    ),
  },
  timeColumn('signsFrom', t('keys.signsFrom'), ({ signsFrom }) => signsFrom),
  timeColumn('signsUntil', t('keys.signsUntil'), ({ retiredAt }) => retiredAt),
  timeColumn('publishedUntil', t('keys.publishedUntil'), ({ publishedUntil }) => publishedUntil),
  {
    key: 'private',
    header: t('keys.private'),
    value: ({ privateKey }) => t(`keys.private.${privateKey}`),
    cell: ({ privateKey }) => t(`keys.private.${privateKey}`),
  },
];

function timeColumn(
  key: string,
  header: string,
  timeOf: (key: SigningKey) => number | null,
): Column<SigningKey> {
  return {
    key,
    header,
    value: (row) => timeOf(row) ?? Number.POSITIVE_INFINITY,
    cell: (row) => {
      const time = timeOf(row);
      return time === null ? <span className="quiet">—</span> : <Timestamp time={time} />;
    },
  };
}

/** The keys that sign and seal, with what an administrator does with them. */
export function SigningKeys() {
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  const list = useListState({ key: 'signsFrom', isDescending: true });
  const [action, setAction] = useState<Action>();
  const [remaining, setRemaining] = useState<RemainingKey>();
  const keys = useQuery({
    queryKey: ['signingKeys'],
    queryFn: ({ signal }) => readAll((page) => admin.signingKeys.list(page, { signal }), readWhole),
    refetchInterval: 60_000,
  });
  const sealing = useQuery({
    queryKey: ['sealingKeys'],
    queryFn: ({ signal }) => admin.sealingKeys.list({}, { signal }),
  });
  const failed = [keys, sealing].find(({ error }) => error !== null);
  return (
    <>
      <PageHeader
        title={t('keys.title')}
        lead={t('keys.lead')}
        actions={
          mayWrite && (
            <>
              <Button variant="default" onClick={() => setAction({ type: 'import' })}>
                {t('keys.import')}
              </Button>
              <Button onClick={() => setAction({ type: 'rotate' })}>{t('keys.rotate')}</Button>
            </>
          )
        }
      />
      {keys.data === undefined || sealing.data === undefined ? (
        <Waiting error={failed?.error ?? null} refetch={failed?.refetch ?? keys.refetch} rows={6} />
      ) : (
        <>
          <DataTable
            caption={t('keys.title')}
            noun="signingKey"
            columns={[...columns(), actionsColumn(mayWrite, setAction)]}
            rows={keys.data.items}
            rowKey={({ kid }) => kid}
            sorting={list.sorting}
            onSort={list.setSorting}
            page={list.page}
            onPage={list.setPage}
            empty={
              <EmptyState title={t('keys.none')}>
                <p>{t('keys.noneAdvice')}</p>
              </EmptyState>
            }
          />
          {mayWrite && <SealingKeys keys={sealing.data.items} onRenew={() => setAction({ type: 'renew' })} />}
        </>
      )}
      {action !== undefined && (
        <ActionDialog
          action={action}
          keys={keys.data?.items ?? []}
          onRemaining={setRemaining}
          onClose={() => setAction(undefined)}
        />
      )}
      {action === undefined && remaining !== undefined && (
        <RemainingDialog remaining={remaining} onClose={() => setRemaining(undefined)} />
      )}
    </>
  );
}

const actionsColumn = (mayWrite: boolean, onAction: (action: Action) => void) =>
  actionColumn<SigningKey>(
    ({ kid }) => t('keys.actions', { kid }),
    (key) => {
      const canSign = key.state === 'published' || key.state === 'signing';
      const retire = { label: t('keys.retire'), onClick: () => onAction({ type: 'retire', key }) };
      const end = {
        label: t('keys.compromised'),
        isDangerous: true,
        onClick: () => onAction({ type: 'compromised', key }),
      };
      return [
        { label: t('keys.show'), onClick: () => onAction({ type: 'show', key }) },
        ...(mayWrite && canSign ? [retire] : []),
        ...(mayWrite && key.state !== 'compromised' ? [end] : []),
      ];
    },
  );

/** What another party could do with them is ended here too, so it stands on the same page. */
function SealingKeys({
  keys,
  onRenew,
}: {
  readonly keys: readonly SealingKey[];
  readonly onRenew: () => void;
}) {
  const newest = keys[0]?.creationDate ?? 0;
  return (
    <DangerZone
      actions={[
        {
          title: t('keys.seal.title'),
          lead: rich('keys.seal.lead', { time: <Timestamp time={newest} /> }),
          action: t('keys.seal.action'),
          onClick: onRenew,
        },
      ]}
    />
  );
}

interface ActionDialogProps {
  readonly action: Action;
  readonly keys: readonly SigningKey[];
  readonly onRemaining: (remaining: RemainingKey) => void;
  readonly onClose: () => void;
}

function ActionDialog({ action, keys, onRemaining, onClose }: ActionDialogProps) {
  switch (action.type) {
    case 'rotate':
      return <RotateDialog keys={keys} onClose={onClose} />;
    case 'import':
      return <ImportDialog onClose={onClose} />;
    case 'renew':
      return <RenewDialog onClose={onClose} />;
    case 'show':
      return <PublicKeyDialog signingKey={action.key} onClose={onClose} />;
    case 'retire':
      return <RetireDialog signingKey={action.key} onClose={onClose} />;
    case 'compromised':
      return <CompromisedDialog signingKey={action.key} onRemaining={onRemaining} onClose={onClose} />;
  }
}
