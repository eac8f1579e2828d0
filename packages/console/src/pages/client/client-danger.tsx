import type { Client } from '@watchword/admin-client';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { DangerZone } from '../../components/danger-zone.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { RotateDialog } from '../../components/dialogs/rotate-dialog.tsx';
import { SecretDialog, type ShownSecret } from '../../components/dialogs/secret-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { managedText } from '../../components/records/managed.tsx';
import { useEnvironment } from '../../environment.ts';
import { goTo } from '../../router/place.ts';
import { resourceServerRoute } from '../../router/routes.ts';
import { usesSecret } from '../../rules/uses-secret.ts';
import { t } from '../../texts/texts.ts';
import { shownSecret } from './new-client.tsx';

interface ClientDangerProps {
  readonly client: Client;
  readonly isSystem: boolean;
}

export function ClientDanger({ client, isSystem }: ClientDangerProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const [dialog, setDialog] = useState<'rotate' | 'revoke' | 'delete' | undefined>();
  const [shown, setShown] = useState<ShownSecret | undefined>();
  const address = { resourceServerId: client.resourceserver_id, id: client.id };
  const close = () => setDialog(undefined);
  const managed = managedText(client.managedBy);

  async function rotate(overlap: number) {
    const { secret = '' } = await admin.clients.rotateSecret(address, { overlap });
    setDialog(undefined);
    setShown(shownSecret(client, secret, t('client.secret.new')));
    await refresh();
  }

  async function revoke() {
    await admin.clients.revokeTokens(address);
    notify(t('client.danger.revoke.done', { client: client.clientName }));
    await refresh();
  }

  async function remove() {
    await admin.clients.delete(address);
    goTo(resourceServerRoute(client.resourceserver_id), { replace: true });
    notify(t('client.danger.delete.done', { client: client.clientName }));
    await refresh();
  }

  return (
    <>
      <DangerZone
        actions={[
          {
            title: t('client.danger.rotate.title'),
            lead: t('client.danger.rotate.lead'),
            action: t('client.danger.rotate.action'),
            onClick: () => setDialog('rotate'),
            isHarmless: true,
            impossibleBecause: usesSecret(client) ? managed : t('client.danger.rotate.noSecret'),
          },
          {
            title: t('client.danger.revoke.title'),
            lead: t('client.danger.revoke.lead'),
            action: t('client.danger.revoke.action'),
            onClick: () => setDialog('revoke'),
          },
          {
            title: t('client.danger.delete.title'),
            lead: t('client.danger.delete.lead'),
            action: t('action.delete'),
            onClick: () => setDialog('delete'),
            impossibleBecause: isSystem ? t('client.danger.delete.system') : managed,
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

interface ClientDialogProps {
  readonly client: Client;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

function RevokeDialog({ client, isSystem, ...dialog }: ClientDialogProps & { readonly isSystem: boolean }) {
  return (
    <ConfirmDialog
      title={t('client.danger.revoke.ask', { client: client.clientName })}
      action={t('client.danger.revoke.action')}
      {...dialog}
    >
      <p>{t('client.danger.revoke.effect')}</p>
      {isSystem && <p className="warning">{t('client.danger.revoke.system')}</p>}
    </ConfirmDialog>
  );
}

function DeleteDialog({ client, ...dialog }: ClientDialogProps) {
  return (
    <ConfirmDialog
      title={t('client.danger.delete.ask', { client: client.clientName })}
      action={t('action.delete')}
      {...dialog}
    >
      <p>{t('client.danger.delete.effect')}</p>
      <ul className="consequences">
        <li>{t(usesSecret(client) ? 'client.danger.delete.idAndSecret' : 'client.danger.delete.id')}</li>
        <li>{t('client.danger.delete.tokens')}</li>
      </ul>
    </ConfirmDialog>
  );
}
