import type { Grant, ReadList, ResourceOwner } from '@watchword/admin-client';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { useEnvironment } from '../../environment.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';
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

  async function end() {
    // A former holder of the name has another subject, and can have left consents.
    const subjects = new Set(grants.items.map(({ subject }) => subject));
    let ended = 0;
    for (const subject of subjects) ended += (await admin.grants.endAll({ subject })).grants;
    const { grants: others, loginSessions } = await admin.resourceOwners.revoke(owner);
    notify(t('person.end.done', { grants: ended + others, logins: loginSessions, person: resourceOwnerId }));
    await refresh();
  }

  return (
    <ConfirmDialog
      title={t('person.end.title', { person: resourceOwnerId })}
      action={t('person.end.action')}
      onConfirm={end}
      onClose={onClose}
    >
      <p>{rich('person.end.lead', { person: resourceOwnerId, identityProvider: resourceOwnerAuthority })}</p>
      <ul className="consequences">
        <li>{t('person.end.logins')}</li>
        <li>{t(grants.isComplete ? 'person.end.grants' : 'person.end.grantsMore', { grants: active })}</li>
        <li>{t(grants.isComplete ? 'person.end.consents' : 'person.end.consentsMore', { consents })}</li>
      </ul>
      <p>{t(hasAccount ? 'person.end.account' : 'person.end.elsewhere')}</p>
    </ConfirmDialog>
  );
}
