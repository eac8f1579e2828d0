import type { AccessToken } from '@watchword/admin-client';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { useEnvironment } from '../../environment.ts';
import { count } from '../../format/count.ts';
import { EditTokenDialog } from './edit-token-dialog.tsx';
import { isOwnOf } from './token-columns.tsx';

export interface TokenAction {
  readonly type: 'edit' | 'revoke' | 'revokeOwner';
  readonly token: AccessToken;
}

interface TokenDialogProps {
  readonly action: TokenAction;
  readonly onClose: () => void;
}

export function TokenDialog({ action: { type, token }, onClose }: TokenDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const tell = useNotice();
  const { resourceOwnerId, resourceOwnerAuthority } = token;
  if (type === 'edit') return <EditTokenDialog token={token} onClose={onClose} />;
  if (type === 'revoke') {
    return (
      <ConfirmDialog
        title="Revoke this token?"
        action="Revoke"
        onConfirm={async () => {
          await admin.accessTokens.revoke(token.id);
          tell('The token is revoked');
          await refresh();
        }}
        onClose={onClose}
      >
        <p>
          From now on it is worth nothing, and <code>{token.clientId}</code> is refused with it.
          {!isOwnOf(token) && ' If the client has a refresh token, it can get a new one.'}
        </p>
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      title={`Revoke everything of ${resourceOwnerId}?`}
      action="Revoke everything"
      onConfirm={async () => {
        const ended = await admin.resourceOwners.revoke({ resourceOwnerId, resourceOwnerAuthority });
        tell(
          `${count(ended.grants, 'grant')} and ${count(ended.loginSessions, 'login')} of ${resourceOwnerId} ended`,
        );
        await refresh();
      }}
      onClose={onClose}
    >
      <p>With this end, at once:</p>
      <ul className="dies">
        <li>
          every access and refresh token that any client has in the name of <bdi>{resourceOwnerId}</bdi>
        </li>
        <li>their logins to this server, in every browser</li>
      </ul>
      <p>What they have consented to stays remembered; they can sign in again.</p>
    </ConfirmDialog>
  );
}
