import { useMutation, useQuery } from '@tanstack/react-query';
import { type Account, AdminError, type Versioned } from '@watchword/admin-client';
import { type FormEvent, useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { Dialog } from '../../components/dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { Problem } from '../../components/problem.tsx';
import { useIsEarly } from '../../components/use-is-early.ts';
import { Waiting } from '../../components/waiting.tsx';
import { Button } from '../../controls/button.tsx';
import { useEnvironment } from '../../environment.ts';
import { problemsOf } from '../../rules/problems.ts';
import { t } from '../../texts/texts.ts';
import { AccountFieldInputs, fieldsOf, typedAccount } from './account-fields.tsx';
import { Ends, endedText, type OfAccount } from './ended.tsx';

/** Changes the names, groups, roles or the administrator flag of an account. */
export function EditAccountDialog({ account: { id, username }, onClose }: OfAccount) {
  const { admin } = useEnvironment();
  // The list can be old, so the current account is read before the change.
  const { data, error, refetch } = useQuery({
    queryKey: ['account', id],
    queryFn: ({ signal }) => admin.accounts.get(id, { signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return (
    <Dialog onClose={onClose} title={t('account.edit', { username })}>
      {data === undefined ? (
        <Waiting error={error} refetch={refetch} rows={4} />
      ) : (
        <EditAccount key={data.version} found={data} onClose={onClose} onStale={refetch} />
      )}
    </Dialog>
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
  const { mutate, error, isPending } = useMutation({
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
  const isEarly = useIsEarly(error);
  const isStale = error instanceof AdminError && error.code === 'precondition_failed';
  const violations = error instanceof AdminError ? error.violations : [];
  const { byField } = problemsOf(violations, ['displayName', 'groups', 'roles']);

  function save(event: FormEvent) {
    event.preventDefault();
    mutate();
  }

  return (
    <form className="stack" onSubmit={save} noValidate>
      <AccountFieldInputs typed={typed} problems={byField} onChange={setTyped} />
      <div className="dialog-text">
        <p>{t('account.changes')}</p>
        <Ends />
      </div>
      {error !== null && violations.length === 0 && (
        <Problem error={error} {...(isStale && { onRetry: onStale })} />
      )}
      <div className="dialog-actions">
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button type="submit" loading={isPending} disabled={isEarly || isStale}>
          {t('action.save')}
        </Button>
      </div>
    </form>
  );
}
