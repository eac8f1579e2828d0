import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { useEnvironment } from '../../environment.ts';
import { EditTokenDialog } from './edit-token-dialog.tsx';
import { isOwnOf, type TokenAction } from './token-columns.tsx';

interface TokenDialogProps {
  readonly action: TokenAction;
  readonly onClose: () => void;
}

export function TokenDialog({ action: { type, token }, onClose }: TokenDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  if (type === 'edit') return <EditTokenDialog id={token.id} onClose={onClose} />;
  return (
    <ConfirmDialog
      title="Revoke this token?"
      action="Revoke"
      onConfirm={async () => {
        await admin.accessTokens.revoke(token.id);
        notify('The token is revoked');
        await refresh();
      }}
      onClose={onClose}
    >
      <p>
        The token is immediately invalid, and <code>{token.clientId}</code> can no longer use it.
        {!isOwnOf(token) && ' If the client has a refresh token, it can get a new one.'}
      </p>
    </ConfirmDialog>
  );
}
