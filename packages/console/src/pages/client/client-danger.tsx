import type { Client } from '@watchword/admin-client';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { DangerZone } from '../../components/danger-zone.tsx';
import { useNotice } from '../../components/notices.tsx';
import { RotateDialog } from '../../components/rotate-dialog.tsx';
import { SecretDialog, type ShownSecret } from '../../components/secret-dialog.tsx';
import { useEnvironment } from '../../environment.ts';
import { goTo } from '../../router/place.ts';
import { resourceServerRoute } from '../../router/routes.ts';
import { shownSecret } from './new-client.tsx';

interface ClientDangerProps {
  readonly client: Client;
  readonly isSystem: boolean;
}

export function ClientDanger({ client, isSystem }: ClientDangerProps) {
  const { admin, baseUrl } = useEnvironment();
  const refresh = useRefresh();
  const tell = useNotice();
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
    tell(`All tokens of ${client.clientName} are revoked`);
    await refresh();
  }

  async function remove() {
    await admin.clients.delete(address);
    goTo(resourceServerRoute(client.resourceserver_id), { replace: true });
    tell(`${client.clientName} is deleted`);
    await refresh();
  }

  return (
    <>
      <DangerZone
        actions={[
          {
            title: 'New secret',
            lead: 'When the secret has leaked, or whoever knew it has left. Its tokens live on.',
            action: 'Rotate the secret',
            onClick: () => setDialog('rotate'),
            isHarmless: true,
            impossibleBecause: client.allowedImplicitGrant
              ? 'It is a public client: it has no secret.'
              : undefined,
          },
          {
            title: 'Revoke all its tokens',
            lead: 'Every code, access and refresh token that it was issued until now ends. The client can get new ones.',
            action: 'Revoke all tokens',
            onClick: () => setDialog('revoke'),
          },
          {
            title: 'Delete this client',
            lead: 'All its tokens die at once.',
            action: 'Delete',
            onClick: () => setDialog('delete'),
            impossibleBecause: isSystem ? 'These pages are this client: it cannot be deleted.' : undefined,
          },
        ]}
      />
      {dialog === 'rotate' && <RotateDialog holder="the application" onRotate={rotate} onClose={close} />}
      {dialog === 'revoke' && (
        <ConfirmDialog
          title={`Revoke all tokens of ${client.clientName}?`}
          action="Revoke all tokens"
          onConfirm={revoke}
          onClose={close}
        >
          <p>
            Every token that it was issued until now ends at once, for everybody who uses it. People have to
            sign in to it again.
          </p>
          {isSystem && (
            <p className="warning">You are using these pages with such a token: you will sign in again.</p>
          )}
        </ConfirmDialog>
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete ${client.clientName}?`}
          action="Delete"
          onConfirm={remove}
          onClose={close}
        >
          <p>This cannot be undone. With it die, at once:</p>
          <ul className="dies">
            <li>
              its clientId{client.allowedImplicitGrant ? '' : ' and secret'}: the application can get no token
              any more
            </li>
            <li>every token that it was issued, for everybody who uses it</li>
          </ul>
        </ConfirmDialog>
      )}
      {shown !== undefined && <SecretDialog shown={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}
