import type { Grant, ReadList, ResourceOwner } from '@watchword/admin-client';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { useEnvironment } from '../../environment.ts';
import { count } from '../../format/count.ts';
import { isConsentAlone } from '../access/ending.ts';

interface EndEverythingDialogProps {
  readonly owner: ResourceOwner;
  readonly grants: ReadList<Grant>;
  readonly hasAccount: boolean;
  readonly onClose: () => void;
}

/** Ends every login, every grant with its tokens, and every remembered consent of a person. */
export function EndEverythingDialog({ owner, grants, hasAccount, onClose }: EndEverythingDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const { resourceOwnerId, resourceOwnerAuthority } = owner;
  const active = grants.items.filter((grant) => !isConsentAlone(grant)).length;
  const consents = grants.items.filter(({ consentedScopes }) => consentedScopes.length > 0).length;
  const more = grants.isComplete ? '' : 'more than ';

  async function end() {
    // A former holder of the name has another subject, and can have left consents.
    const subjects = new Set(grants.items.map(({ subject }) => subject));
    let ended = 0;
    for (const subject of subjects) ended += (await admin.grants.endAll({ subject })).grants;
    const { grants: others, loginSessions } = await admin.resourceOwners.revoke(owner);
    notify(
      `${count(ended + others, 'grant')} and ${count(loginSessions, 'login')} of ${resourceOwnerId} ended`,
    );
    await refresh();
  }

  return (
    <ConfirmDialog
      title={`End everything of ${resourceOwnerId}?`}
      action="End everything"
      onConfirm={end}
      onClose={onClose}
    >
      <p>
        The server ends at once, for <bdi>{resourceOwnerId}</bdi>{' '}
        <span className="quiet">(from {resourceOwnerAuthority})</span>:
      </p>
      <ul className="consequences">
        <li>their logins to this server, in every browser</li>
        <li>
          {more}
          {count(active, 'grant')}, with every access and refresh token
        </li>
        <li>
          {more}
          {count(consents, 'rememberedConsent')}: each application must ask again
        </li>
      </ul>
      <p>
        {hasAccount
          ? 'They can log in again. To prevent that, disable the account.'
          : 'They can log in again, unless their identity provider prevents it.'}
      </p>
    </ConfirmDialog>
  );
}
