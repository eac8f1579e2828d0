import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { useEnvironment } from '../../environment.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';
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
      title={t('token.revoke.title')}
      action={t('action.revoke')}
      onConfirm={async () => {
        await admin.accessTokens.revoke(token.id);
        notify(t('token.revoke.done'));
        await refresh();
      }}
      onClose={onClose}
    >
      <p>
        {rich('token.revoke.lead', { client: <code>{token.clientId}</code> })}
        {!isOwnOf(token) && ` ${t('token.revoke.refresh')}`}
      </p>
    </ConfirmDialog>
  );
}
