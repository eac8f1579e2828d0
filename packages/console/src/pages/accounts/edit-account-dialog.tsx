import { useMutation } from '@tanstack/react-query';
import type { Account, Versioned } from '@watchword/admin-client';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { useNotice } from '../../components/notices.tsx';
import { useEnvironment } from '../../environment.ts';
import { violationsOf } from '../../forms/change-errors.ts';
import { RecordDialog, RecordDialogForm } from '../../forms/record-dialog.tsx';
import { problemsOf } from '../../rules/problems.ts';
import { t } from '../../texts/texts.ts';
import { AccountFieldInputs } from './account-fields.tsx';
import { Ends, endedText, type OfAccount } from './ended.tsx';
import { checkedFields, fieldsOf, typedAccount } from './typed-account.ts';

/** Changes what an account says of its user, groups, roles or the administrator flag. */
export function EditAccountDialog({ account: { id, username }, onClose }: OfAccount) {
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
