import type { ResourceOwner } from '@watchword/admin-client';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { useEnvironment } from '../../environment.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';

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
    const { grants, loginSessions: logins } = ended;
    notify(t('revokeOwner.done', { grants, logins, owner: resourceOwnerId }));
    await refresh();
  }

  return (
    <ConfirmDialog
      title={t('revokeOwner.title', { owner: resourceOwnerId })}
      action={t('revokeOwner.action')}
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>
        {rich('revokeOwner.lead', {
          owner: resourceOwnerId,
          identityProvider: resourceOwnerAuthority,
          quiet: (text) => <span className="quiet">{text}</span>,
        })}
      </p>
      <ul className="consequences">
        <li>{t('revokeOwner.tokens')}</li>
        <li>{t('revokeOwner.logins')}</li>
      </ul>
      <p>{t('revokeOwner.after')}</p>
    </ConfirmDialog>
  );
}
