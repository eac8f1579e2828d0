import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { useEnvironment } from '../../environment.ts';
import { Ends, endedText, type OfAccount } from './ended.tsx';

/** Deletes an account, after its username was typed. */
export function DeleteAccountDialog({ account: { id, username }, onClose }: OfAccount) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();

  async function remove() {
    const ended = await admin.accounts.delete(id);
    notify(`${username} is deleted: ${endedText(ended)}`);
    await refresh();
  }

  return (
    <ConfirmDialog
      title={`Delete ${username}?`}
      action="Delete"
      typed={username}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>The account is deleted permanently. At once:</p>
      <Ends isDeleted />
      <p>
        A later account with this username belongs to another user. To lock a user out for a time, disable it.
      </p>
    </ConfirmDialog>
  );
}
