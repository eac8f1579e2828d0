import { useMutation, useQuery } from '@tanstack/react-query';
import { type AccessToken, AdminError, type Versioned } from '@watchword/admin-client';
import { type FormEvent, useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { Dialog } from '../../components/dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { Problem } from '../../components/problem.tsx';
import { useIsEarly } from '../../components/use-is-early.ts';
import { Waiting } from '../../components/waiting.tsx';
import { Button } from '../../controls/button.tsx';
import { TextInput } from '../../controls/inputs.tsx';
import { useEnvironment } from '../../environment.ts';
import { problemText } from '../../forms/fields.tsx';
import { ScopeBoxes } from '../../forms/scope-boxes.tsx';
import { problem, problemsOf } from '../../rules/problems.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';
import { fromLocalText, toLocalText } from './local-time.ts';

interface EditTokenDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Narrows what a token allows, or lets it end at another time. */
export function EditTokenDialog({ id, onClose }: EditTokenDialogProps) {
  const { admin } = useEnvironment();
  // The list can be old, so the current token is read before the change.
  const { data, error, refetch } = useQuery({
    queryKey: ['token', id],
    queryFn: ({ signal }) => admin.accessTokens.get(id, { signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return (
    <Dialog onClose={onClose} title={t('token.edit.title')}>
      {data === undefined ? (
        <Waiting error={error} refetch={refetch} rows={3} />
      ) : (
        <EditToken key={data.version} found={data} onClose={onClose} onStale={refetch} />
      )}
    </Dialog>
  );
}

interface EditTokenProps {
  readonly found: Versioned<AccessToken>;
  readonly onClose: () => void;
  /** Another user has changed the token in the meantime. */
  readonly onStale: () => unknown;
}

function EditToken({ found: { record: token, version }, onClose, onStale }: EditTokenProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const [scopes, setScopes] = useState(token.scopes);
  const [expires, setExpires] = useState(toLocalText(token.expires));
  const [isHalfTyped, setHalfTyped] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const isMoved = expires !== toLocalText(token.expires);
      const changes = { scopes, ...(isMoved && { expires: fromLocalText(expires) }) };
      return admin.accessTokens.update(token.id, changes, { version });
    },
    async onSuccess() {
      notify(t('token.edit.done'));
      onClose();
      await refresh();
    },
  });
  const isEarly = useIsEarly(error);
  const isStale = error instanceof AdminError && error.code === 'precondition_failed';
  const violations = error instanceof AdminError ? error.violations : [];
  const { scopes: ofScopes = [], expires: ofExpires = [] } = problemsOf(violations, [
    'scopes',
    'expires',
  ]).byField;
  const halfTyped = isHalfTyped ? [problem('rule.dateAndTime')] : [];

  function save(event: FormEvent) {
    event.preventDefault();
    if (!isHalfTyped) mutate();
  }

  return (
    <form className="stack" onSubmit={save} noValidate>
      <p className="quiet">
        {rich('token.edit.lead', { client: <code>{token.clientId}</code>, owner: token.resourceOwnerId })}
      </p>
      <ScopeBoxes
        hint={t('token.edit.scopesHint')}
        available={token.scopes}
        chosen={scopes}
        problems={ofScopes}
        onChange={setScopes}
      />
      <TextInput
        type="datetime-local"
        step={1}
        label={t('token.expires')}
        description={t('token.edit.expiresHint')}
        value={expires}
        error={problemText(t('token.expires'), [...ofExpires, ...halfTyped])}
        onChange={({ currentTarget }) => {
          // Then it has no value, which would mean "never".
          setHalfTyped(currentTarget.validity.badInput);
          setExpires(currentTarget.value);
        }}
      />
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
