import type { AccountWithResetLink, OwnerRevocation } from '@watchword/admin-client';
import { SecretDialog } from '../../components/dialogs/secret-dialog.tsx';
import { t } from '../../texts/texts.ts';
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
        title: t(ended === undefined ? 'account.created' : 'account.reset.done'),
        name: { label: t('account.link'), value: username },
        kind: 'resetLink',
        secret: resetLink,
        advice: (
          <p>
            {t('account.linkAdvice')} {ended !== undefined && `${endedText(ended)}.`}
          </p>
        ),
      }}
      onClose={onClose}
    />
  );
}
