import type { ResourceOwner } from '@watchword/admin-client';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { useEnvironment } from '../../environment.ts';
import { count } from '../../format/count.ts';

interface RevokeOwnerDialogProps {
  readonly owner: ResourceOwner;
  readonly onClose: () => void;
}

/** Ends everything that was issued in the name of a person. */
export function RevokeOwnerDialog({ owner, onClose }: RevokeOwnerDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const { resourceOwnerId, resourceOwnerAuthority } = owner;

  async function revoke() {
    const ended = await admin.resourceOwners.revoke(owner);
    const grants = count(ended.grants, 'grant');
    notify(`${grants} and ${count(ended.loginSessions, 'login')} of ${resourceOwnerId} ended`);
    await refresh();
  }

  return (
    <ConfirmDialog
      title={`Revoke everything of ${resourceOwnerId}?`}
      action="Revoke everything"
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>
        The server ends at once, for <bdi>{resourceOwnerId}</bdi>{' '}
        <span className="quiet">(from {resourceOwnerAuthority})</span>:
      </p>
      <ul className="consequences">
        <li>every access and refresh token that any client has in their name</li>
        <li>their logins to this server, in every browser</li>
      </ul>
      <p>What they have consented to stays remembered; they can sign in again.</p>
    </ConfirmDialog>
  );
}
