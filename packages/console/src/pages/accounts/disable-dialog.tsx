import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { useEnvironment } from '../../environment.ts';
import { Ends, endedText, type OfAccount } from './ended.tsx';

/** Locks a user out. */
export function DisableDialog({ account: { id, username }, onClose }: OfAccount) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();

  async function disable() {
    const { record } = await admin.accounts.update(id, { disabled: true });
    notify(`${username} is disabled: ${endedText(record.ended)}`);
    await refresh();
  }

  return (
    <ConfirmDialog title={`Disable ${username}?`} action="Disable" onConfirm={disable} onClose={onClose}>
      <p>No login is possible until the account is enabled again. At once:</p>
      <Ends />
      <p>Enabling the account brings none of it back, nor a reset link.</p>
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
    notify(`${username} is enabled`);
    await refresh();
  }

  return (
    <ConfirmDialog
      title={`Enable ${username}?`}
      action="Enable"
      isHarmless
      onConfirm={enable}
      onClose={onClose}
    >
      <p>
        {hasPassword
          ? 'The user can log in again with the password of before. What ended stays ended.'
          : 'The user has no password. Reset it afterwards, so that there is a link to set one.'}
      </p>
    </ConfirmDialog>
  );
}
