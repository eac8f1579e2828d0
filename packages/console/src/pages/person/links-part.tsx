import { useQuery } from '@tanstack/react-query';
import { type Account, type AccountLink, readAll } from '@watchword/admin-client';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import type { Column } from '../../components/tables/data-table.tsx';
import { Part } from '../../components/tables/part.tsx';
import { actionColumn, timeColumn } from '../../components/tables/usual-columns.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { t } from '../../texts/texts.ts';
import { Ends, endedText, type OfAccount } from '../accounts/ended.tsx';
import { mostRead } from './use-person-records.ts';

/** With an id for the list. */
type Link = AccountLink & { readonly id: string };

/** With which other identity providers the person logs in to the account. The page says nothing of them while there are none. */
export function LinksPart({ account }: { readonly account: Account }) {
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  const [removing, setRemoving] = useState<Link>();
  const found = useQuery({
    queryKey: ['accountLinks', account.id],
    async queryFn({ signal }) {
      const read = await readAll((page) => admin.accountLinks.list(account.id, page, { signal }), mostRead);
      return { ...read, items: read.items.map((link) => ({ ...link, id: link.authenticator })) };
    },
  });
  return (
    <>
      <Part
        title={t('person.links')}
        noun="identityProvider"
        columns={[...columns(), ...(mayWrite ? [unlinkColumn(setRemoving)] : [])]}
        found={found}
        sortedBy="created"
      />
      {removing !== undefined && (
        <RemoveDialog link={removing} account={account} onClose={() => setRemoving(undefined)} />
      )}
    </>
  );
}

const columns = (): readonly Column<Link>[] => [
  {
    key: 'authenticator',
    header: t('providers.name'),
    value: ({ authenticator }) => authenticator,
    cell: ({ authenticator, identityProvider }) => (
      <>
        <bdi>{authenticator}</bdi>
        {identityProvider !== authenticator && (
          <p className="row-note">
            <bdi>{identityProvider}</bdi>
          </p>
        )}
      </>
    ),
  },
  {
    key: 'name',
    header: t('person.linkName'),
    isFlexible: true,
    value: ({ name }) => name,
    cell: ({ name }) => <bdi>{name}</bdi>,
  },
  timeColumn('created', t('access.since'), ({ creationDate }) => creationDate),
  timeColumn('used', t('person.lastUsed'), ({ lastUsed }) => lastUsed),
];

const unlinkColumn = (onRemove: (link: Link) => void) =>
  actionColumn<Link>(
    ({ authenticator }) => t('person.linkActions', { identityProvider: authenticator }),
    (link) => [{ label: t('person.unlink'), onClick: () => onRemove(link), isDangerous: true }],
  );

interface RemoveDialogProps extends OfAccount {
  readonly link: Link;
}

function RemoveDialog({ link: { authenticator, name }, account, onClose }: RemoveDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  return (
    <ConfirmDialog
      title={t('person.unlinkAsk', { identityProvider: authenticator })}
      action={t('person.unlink')}
      onConfirm={async () => {
        const ended = await admin.accountLinks.remove({ id: account.id, authenticator });
        notify(t('person.unlinked', { identityProvider: authenticator, ended: endedText(ended) }));
        await refresh();
      }}
      onClose={onClose}
    >
      <p>
        <bdi>{name}</bdi>
      </p>
      <p>{t('person.unlinkEffect')}</p>
      <Ends />
    </ConfirmDialog>
  );
}
