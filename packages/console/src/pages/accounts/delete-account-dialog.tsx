import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { useEnvironment } from '../../environment.ts';
import { t } from '../../texts/texts.ts';
import { Ends, endedText, type OfAccount } from './ended.tsx';

/** Deletes an account, after its username was typed. */
export function DeleteAccountDialog({ account: { id, username }, onClose }: OfAccount) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();

  async function remove() {
    const ended = await admin.accounts.delete(id);
    notify(t('account.delete.done', { username, ended: endedText(ended) }));
    await refresh();
  }

  return (
    <ConfirmDialog
      title={t('account.delete.title', { username })}
      action={t('action.delete')}
      typed={username}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{t('account.delete.lead')}</p>
      <Ends isDeleted />
      <p>{t('account.delete.after')}</p>
    </ConfirmDialog>
  );
}
