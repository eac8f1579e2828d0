import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Problem } from '../../components/problem.tsx';
import { useIsEarly } from '../../components/use-is-early.ts';
import { Button } from '../../controls/button.tsx';
import { TextInput } from '../../controls/inputs.tsx';
import { useEnvironment } from '../../environment.ts';
import { violationsOf } from '../../forms/change-errors.ts';
import { problemText } from '../../forms/fields.tsx';
import { problemsOf } from '../../rules/problems.ts';
import { t } from '../../texts/texts.ts';
import { AccountFieldInputs } from './account-fields.tsx';
import { ResetLink } from './reset-link.tsx';
import { checkedFields, emptyAccount, fieldsOf } from './typed-account.ts';

/** Creates an account, and shows the link with which its user sets a password. */
export function NewAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const [username, setUsername] = useState('');
  const [typed, setTyped] = useState(emptyAccount);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => {
      const { displayName, ...fields } = fieldsOf(typed);
      return admin.accounts.create({ username, ...fields, ...(displayName !== '' && { displayName }) });
    },
    onSuccess: () => refresh(),
  });
  const isEarly = useIsEarly(error);
  if (data !== undefined) return <ResetLink made={data} onClose={onClose} />;
  const violations = violationsOf(error);
  const { byField } = problemsOf(violations, ['username', ...checkedFields]);

  function create(event: FormEvent) {
    event.preventDefault();
    mutate();
  }

  return (
    <Dialog onClose={onClose} title={t('accounts.create')}>
      <form className="stack" onSubmit={create} noValidate>
        <p className="quiet">{t('account.newHint')}</p>
        <TextInput
          label={t('account.username')}
          description={t('account.usernameHint')}
          value={username}
          error={problemText(t('account.username'), [...(byField.username ?? [])])}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          onChange={({ currentTarget }) => setUsername(currentTarget.value)}
        />
        <AccountFieldInputs typed={typed} problems={byField} onChange={setTyped} />
        {error !== null && violations.length === 0 && <Problem error={error} />}
        <div className="dialog-actions">
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={isEarly || username === ''}>
            {t('action.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
