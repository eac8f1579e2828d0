import type { AccountWithResetLink, OwnerRevocation } from '@watchword/admin-client';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { endedText } from './ended.tsx';

/** A new account, or one that was reset. */
export type MadeLink = AccountWithResetLink & { readonly ended?: OwnerRevocation };

interface ResetLinkProps {
  readonly made: MadeLink;
  readonly onClose: () => void;
}

/** Shows a reset link, this once. */
export function ResetLink({ made: { username, resetLink, ended }, onClose }: ResetLinkProps) {
  return (
    <SecretDialog
      shown={{
        title: ended === undefined ? 'The account is created' : 'The password is reset',
        name: { label: 'username', value: username },
        kind: 'resetLink',
        secret: resetLink,
        advice: (
          <p>
            Send it over a channel that only the user can read: any person with the link can set the password.
            It works once, within an hour. {ended !== undefined && `${endedText(ended)}.`}
          </p>
        ),
        snippets: [],
      }}
      onClose={onClose}
    />
  );
}
