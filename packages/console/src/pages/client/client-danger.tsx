import type { Client } from '@watchword/admin-client';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { DangerZone } from '../../components/danger-zone.tsx';
import { useNotice } from '../../components/notices.tsx';
import { RotateDialog } from '../../components/rotate-dialog.tsx';
import { SecretDialog, type ShownSecret } from '../../components/secret-dialog.tsx';
import { useEnvironment } from '../../environment.ts';
import { goTo } from '../../router/place.ts';
import { resourceServerRoute } from '../../router/routes.ts';
import { DeleteDialog, RevokeDialog } from './client-dialogs.tsx';
import { shownSecret } from './new-client.tsx';

interface ClientDangerProps {
  readonly client: Client;
  readonly isSystem: boolean;
}

export function ClientDanger({ client, isSystem }: ClientDangerProps) {
  const { admin, baseUrl } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const [dialog, setDialog] = useState<'rotate' | 'revoke' | 'delete' | undefined>();
  const [shown, setShown] = useState<ShownSecret | undefined>();
  const address = { resourceServerId: client.resourceserver_id, id: client.id };
  const close = () => setDialog(undefined);

  async function rotate(overlap: number) {
    const { secret = '' } = await admin.clients.rotateSecret(address, { overlap });
    setDialog(undefined);
    setShown(shownSecret(client, secret, baseUrl, 'The new secret'));
    await refresh();
  }

  async function revoke() {
    await admin.clients.revokeTokens(address);
    notify(`All tokens of ${client.clientName} are revoked`);
    await refresh();
  }

  async function remove() {
    await admin.clients.delete(address);
    goTo(resourceServerRoute(client.resourceserver_id), { replace: true });
    notify(`${client.clientName} is deleted`);
    await refresh();
  }

  return (
    <>
      <DangerZone
        actions={[
          {
            title: 'New secret',
            lead: 'When the secret has leaked, or when a person who knew it has left. The tokens of the client stay valid.',
            action: 'Rotate the secret',
            onClick: () => setDialog('rotate'),
            isHarmless: true,
            impossibleBecause: client.confidential ? undefined : 'It is a public client: it has no secret.',
          },
          {
            title: 'Revoke all its tokens',
            lead: 'Every code, access token and refresh token that it was issued until now is revoked. The client can get new ones.',
            action: 'Revoke all tokens',
            onClick: () => setDialog('revoke'),
          },
          {
            title: 'Delete this client',
            lead: 'All its tokens are revoked at once.',
            action: 'Delete',
            onClick: () => setDialog('delete'),
            impossibleBecause: isSystem ? 'These pages are this client: it cannot be deleted.' : undefined,
          },
        ]}
      />
      {dialog === 'rotate' && <RotateDialog of="client" onRotate={rotate} onClose={close} />}
      {dialog === 'revoke' && (
        <RevokeDialog client={client} isSystem={isSystem} onConfirm={revoke} onClose={close} />
      )}
      {dialog === 'delete' && <DeleteDialog client={client} onConfirm={remove} onClose={close} />}
      {shown !== undefined && <SecretDialog shown={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}
