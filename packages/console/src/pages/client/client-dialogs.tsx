import type { Client } from '@watchword/admin-client';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';

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
      title={`Revoke all tokens of ${client.clientName}?`}
      action="Revoke all tokens"
      {...dialog}
    >
      <p>
        Every token that it was issued until now is revoked at once, for all its users. They have to sign in
        to it again.
      </p>
      {isSystem && (
        <p className="warning">You are using these pages with such a token: you will sign in again.</p>
      )}
    </ConfirmDialog>
  );
}

export function DeleteDialog({ client, ...dialog }: ClientDialogProps) {
  return (
    <ConfirmDialog title={`Delete ${client.clientName}?`} action="Delete" {...dialog}>
      <p>This cannot be undone. With the client, the server deletes at once:</p>
      <ul className="consequences">
        <li>
          its clientId{client.confidential ? ' and secret' : ''}: the application can get no more tokens
        </li>
        <li>every token that it was issued, for all its users</li>
      </ul>
    </ConfirmDialog>
  );
}
