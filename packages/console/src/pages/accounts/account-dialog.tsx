import { useMutation } from '@tanstack/react-query';
import type { Account, ChangedAccountWithResetLink, Versioned } from '@watchword/admin-client';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { useEnvironment } from '../../environment.ts';
import { violationsOf } from '../../forms/change-errors.ts';
import { RecordDialog, RecordDialogForm } from '../../forms/record-dialog.tsx';
import { problemsOf } from '../../rules/problems.ts';
import { t } from '../../texts/texts.ts';
import type { AccountAction } from './account-columns.tsx';
import { AccountFieldInputs } from './account-fields.tsx';
import { Ends, endedText, type OfAccount } from './ended.tsx';
import type { MadeLink } from './reset-link.tsx';
import { checkedFields, fieldsOf, typedAccount } from './typed-account.ts';

interface AccountDialogProps {
  readonly action: AccountAction;
  readonly onReset: (made: MadeLink) => void;
  readonly onClose: () => void;
}

/** Does with an account what the user chose. */
export function AccountDialog({ action: { type, account }, onReset, onClose }: AccountDialogProps) {
  switch (type) {
    case 'edit':
      return <EditAccountDialog account={account} onClose={onClose} />;
    case 'disable':
      return <DisableDialog account={account} onClose={onClose} />;
    case 'enable':
      return <EnableDialog account={account} onClose={onClose} />;
    case 'reset':
      return <ResetDialog account={account} onReset={onReset} onClose={onClose} />;
    case 'delete':
      return <DeleteAccountDialog account={account} onClose={onClose} />;
  }
}

/** Changes what an account says of its user, groups, roles or the administrator flag. */
function EditAccountDialog({ account: { id, username }, onClose }: OfAccount) {
  const { admin } = useEnvironment();
  return (
    <RecordDialog
      title={t('account.edit', { username })}
      queryKey={['account', id]}
      read={(options) => admin.accounts.get(id, options)}
      rows={6}
      onClose={onClose}
    >
      {(found, onStale) => (
        <EditAccount key={found.version} found={found} onClose={onClose} onStale={onStale} />
      )}
    </RecordDialog>
  );
}

interface EditAccountProps {
  readonly found: Versioned<Account>;
  readonly onClose: () => void;
  /** Another user has changed the account in the meantime. */
  readonly onStale: () => unknown;
}

function EditAccount({ found: { record, version }, onClose, onStale }: EditAccountProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const [typed, setTyped] = useState(typedAccount(record));
  const change = useMutation({
    mutationFn: () => {
      const { displayName, ...fields } = fieldsOf(typed);
      const changes = { ...fields, displayName: displayName || record.username };
      return admin.accounts.update(record.id, changes, { version });
    },
    async onSuccess({ record: { username, ended } }) {
      notify(t('account.changed', { username, ended: endedText(ended) }));
      onClose();
      await refresh();
    },
  });
  const { byField } = problemsOf(violationsOf(change.error), checkedFields);
  return (
    <RecordDialogForm change={change} onSave={() => change.mutate()} onClose={onClose} onStale={onStale}>
      <AccountFieldInputs typed={typed} problems={byField} onChange={setTyped} />
      <div className="dialog-text">
        <p>{t('account.changes')}</p>
        <Ends />
      </div>
    </RecordDialogForm>
  );
}

/** Locks a user out. */
function DisableDialog({ account: { id, username }, onClose }: OfAccount) {
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
function EnableDialog({ account: { id, username, hasPassword }, onClose }: OfAccount) {
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

interface ResetDialogProps extends OfAccount {
  readonly onReset: (made: ChangedAccountWithResetLink) => void;
}

/** Removes the password of an account, and makes the link with which its user sets another. */
function ResetDialog({ account: { id, username }, onReset, onClose }: ResetDialogProps) {
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

/** Deletes an account, after its username was typed. */
function DeleteAccountDialog({ account: { id, username }, onClose }: OfAccount) {
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
