import type { IdentityProvider } from '@watchword/admin-client';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { useEnvironment } from '../../environment.ts';
import { count } from '../../format/count.ts';

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
    const sessions = count(ended.loginSessions, 'login');
    notify(`${sessions}, ${count(ended.grants, 'grant')} and ${count(ended.consents, 'consent')} revoked`);
    await refresh();
  }

  return (
    <ConfirmDialog
      title={`Revoke everything of ${name}?`}
      action="Revoke everything"
      // The users of any other identity provider cannot log in.
      typed={configured === false ? undefined : name}
      onConfirm={end}
      onClose={onClose}
    >
      <p>
        For all users who sign in by <code>{name}</code>, the server immediately revokes:
      </p>
      <ul className="consequences">
        <li>{count(shown.loginSessions, 'login')} to this server</li>
        <li>{count(shown.grants, 'grant')}, with all their tokens</li>
        <li>{count(shown.consents, 'rememberedConsent')}</li>
      </ul>
      {configured !== false && (
        <p>
          The server {configured === null ? 'may be' : 'is'} configured with it: its users must sign in again,
          and you too if you are one of them.
        </p>
      )}
    </ConfirmDialog>
  );
}
