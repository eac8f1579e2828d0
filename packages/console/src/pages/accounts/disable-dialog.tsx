import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { useEnvironment } from '../../environment.ts';
import { t } from '../../texts/texts.ts';
import { Ends, endedText, type OfAccount } from './ended.tsx';

/** Locks a user out. */
export function DisableDialog({ account: { id, username }, onClose }: OfAccount) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();

  async function disable() {
    const { record } = await admin.accounts.update(id, { disabled: true });
    notify(t('account.disable.done', { username, ended: endedText(record.ended) }));
    await refresh();
  }

  return (
    <ConfirmDialog
      title={t('account.disable.title', { username })}
      action={t('account.disable.action')}
      onConfirm={disable}
      onClose={onClose}
    >
      <p>{t('account.disable.lead')}</p>
      <Ends />
      <p>{t('account.disable.after')}</p>
    </ConfirmDialog>
  );
}

/** Lets a user log in again. */
export function EnableDialog({ account: { id, username, hasPassword }, onClose }: OfAccount) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();

  async function enable() {
    await admin.accounts.update(id, { disabled: false });
    notify(t('account.enable.done', { username }));
    await refresh();
  }

  return (
    <ConfirmDialog
      title={t('account.enable.title', { username })}
      action={t('account.enable.action')}
      isHarmless
      onConfirm={enable}
      onClose={onClose}
    >
      <p>{t(hasPassword ? 'account.enable.withPassword' : 'account.enable.withoutPassword')}</p>
    </ConfirmDialog>
  );
}
