import type { ChangedAccountWithResetLink } from '@watchword/admin-client';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useEnvironment } from '../../environment.ts';
import { t } from '../../texts/texts.ts';
import { Ends, type OfAccount } from './ended.tsx';

interface ResetDialogProps extends OfAccount {
  readonly onReset: (made: ChangedAccountWithResetLink) => void;
}

/** Removes the password of an account, and makes the link with which its user sets another. */
export function ResetDialog({ account: { id, username }, onReset, onClose }: ResetDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();

  async function reset() {
    onReset(await admin.accounts.resetPassword(id));
    // It fails for the own account, whose token has ended. The link must be shown before.
    void refresh();
  }

  return (
    <ConfirmDialog
      title={t('account.reset.title', { username })}
      action={t('account.reset.action')}
      onConfirm={reset}
      onClose={onClose}
    >
      <p>{t('account.reset.lead')}</p>
      <Ends isReset />
    </ConfirmDialog>
  );
}
