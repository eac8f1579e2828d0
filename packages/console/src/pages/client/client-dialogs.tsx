import type { Client } from '@watchword/admin-client';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { t } from '../../texts/texts.ts';

interface ClientDialogProps {
  readonly client: Client;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

export function RevokeDialog({
  client,
  isSystem,
  ...dialog
}: ClientDialogProps & { readonly isSystem: boolean }) {
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

export function DeleteDialog({ client, ...dialog }: ClientDialogProps) {
  return (
    <ConfirmDialog
      title={t('client.danger.delete.ask', { client: client.clientName })}
      action={t('action.delete')}
      {...dialog}
    >
      <p>{t('client.danger.delete.effect')}</p>
      <ul className="consequences">
        <li>{t(client.confidential ? 'client.danger.delete.idAndSecret' : 'client.danger.delete.id')}</li>
        <li>{t('client.danger.delete.tokens')}</li>
      </ul>
    </ConfirmDialog>
  );
}
