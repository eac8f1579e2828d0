import type { IdentityProvider } from '@watchword/admin-client';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { useEnvironment } from '../../environment.ts';
import { count } from '../../format/count.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';

interface EndDialogProps {
  readonly identityProvider: IdentityProvider;
  readonly onClose: () => void;
}

/** Revokes what the users of an identity provider have, after their number was shown. */
export function EndDialog({ identityProvider: shown, onClose }: EndDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const { identityProvider: name, configured } = shown;

  async function end() {
    const ended = await admin.identityProviders.end(name);
    const { loginSessions: logins, grants, consents } = ended;
    notify(t('providers.end.done', { logins, grants, consents }));
    await refresh();
  }

  return (
    <ConfirmDialog
      title={t('providers.end.title', { identityProvider: name })}
      action={t('providers.end.action')}
      // The users of any other identity provider cannot log in.
      typed={configured === false ? undefined : name}
      onConfirm={end}
      onClose={onClose}
    >
      <p>{rich('providers.end.lead', { identityProvider: <code>{name}</code> })}</p>
      <ul className="consequences">
        <li>{t('providers.end.logins', { count: shown.loginSessions })}</li>
        <li>{t('providers.end.grants', { count: shown.grants })}</li>
        <li>{count(shown.consents, 'rememberedConsent')}</li>
      </ul>
      {configured !== false && (
        <p>{t(configured === null ? 'providers.end.maybeConfigured' : 'providers.end.configured')}</p>
      )}
    </ConfirmDialog>
  );
}
