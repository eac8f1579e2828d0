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

/** Ends for good what the people of an identity provider have, after it was shown how much that is. */
export function EndDialog({ identityProvider: shown, onClose }: EndDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const tell = useNotice();
  const { identityProvider: name, configured } = shown;

  async function end() {
    const ended = await admin.identityProviders.end(name);
    const sessions = count(ended.loginSessions, 'login');
    tell(`${sessions}, ${count(ended.grants, 'grant')} and ${count(ended.consents, 'consent')} ended`);
    await refresh();
  }

  return (
    <ConfirmDialog
      title={`End everything of ${name}?`}
      action="End all for good"
      // The people of any other are locked out already.
      typed={configured === false ? undefined : name}
      onConfirm={end}
      onClose={onClose}
    >
      <p>
        The server ends, at once and for good, of all people who sign in by <code>{name}</code>:
      </p>
      <ul className="consequences">
        <li>{count(shown.loginSessions, 'login')} to this server</li>
        <li>{count(shown.grants, 'grant')}, with every token that was issued under them</li>
        <li>{count(shown.consents, 'remembered consent')}</li>
      </ul>
      {configured !== false && (
        <p>
          The server {configured === null ? 'may be' : 'is'} configured with it: its people have to log in
          again, and you too if you are one of them.
        </p>
      )}
    </ConfirmDialog>
  );
}
