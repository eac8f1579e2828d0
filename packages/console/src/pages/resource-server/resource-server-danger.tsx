import type { Client, ReadList, ResourceServer, Versioned } from '@watchword/admin-client';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { DangerZone } from '../../components/danger-zone.tsx';
import { useNotice } from '../../components/notices.tsx';
import { RotateDialog } from '../../components/rotate-dialog.tsx';
import { SecretDialog, type ShownSecret } from '../../components/secret-dialog.tsx';
import { useEnvironment } from '../../environment.ts';
import { count } from '../../format/count.ts';
import { goTo } from '../../router/place.ts';
import { routes } from '../../router/routes.ts';
import { shownSecret } from './new-resource-server.tsx';

interface ResourceServerDangerProps {
  readonly found: Versioned<ResourceServer>;
  readonly clients: ReadList<Client>;
  readonly isSystem: boolean;
}

export function ResourceServerDanger(props: ResourceServerDangerProps) {
  const { found, clients, isSystem } = props;
  const total = clients.total ?? clients.items.length;
  const { record } = found;
  const environment = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const [dialog, setDialog] = useState<'rotate' | 'delete' | undefined>();
  const [shown, setShown] = useState<ShownSecret | undefined>();

  async function rotate(overlap: number) {
    const { secret = '' } = await environment.admin.resourceServers.rotateSecret(record.id, { overlap });
    setDialog(undefined);
    setShown(shownSecret(record, secret, environment, 'The new secret'));
    await refresh();
  }

  async function remove() {
    await environment.admin.resourceServers.delete(record.id);
    goTo(routes.resourceServers, { replace: true });
    notify(`${record.name} is deleted`);
    await refresh();
  }

  return (
    <>
      <DangerZone
        actions={[
          {
            title: 'New secret',
            lead: 'When the secret has leaked, or when a person who knew it has left.',
            action: 'Rotate the secret',
            onClick: () => setDialog('rotate'),
            isHarmless: true,
          },
          {
            title: 'Delete this resource server',
            lead: 'Its clients are deleted with it, and all their tokens are revoked at once.',
            action: 'Delete',
            onClick: () => setDialog('delete'),
            impossibleBecause: isSystem
              ? 'These pages themselves depend on it: it cannot be deleted.'
              : undefined,
          },
        ]}
      />
      {dialog === 'rotate' && (
        <RotateDialog of="resourceServer" onRotate={rotate} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete ${record.name}?`}
          action="Delete"
          typed={total > 0 ? record.key : undefined}
          onConfirm={remove}
          onClose={() => setDialog(undefined)}
        >
          <p>This cannot be undone. With the resource server, the server deletes at once:</p>
          <ul className="consequences">
            <li>its key and secret: the API can no longer ask about tokens</li>
            {total > 0 && (
              <li>
                {count(total, 'client')}: {named(clients.items, total)}
              </li>
            )}
            <li>every token of {total > 0 ? 'those clients' : 'its clients'}, for all their users</li>
          </ul>
        </ConfirmDialog>
      )}
      {shown !== undefined && <SecretDialog shown={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

function named(clients: readonly Client[], total: number): string {
  const names = clients.slice(0, 8).map(({ clientName }) => clientName);
  const more = total - names.length;
  return more > 0 ? `${names.join(', ')} and ${more.toLocaleString('en')} more` : names.join(', ');
}
