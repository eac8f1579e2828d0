import { useMutation } from '@tanstack/react-query';
import type { AccessToken, Versioned } from '@watchword/admin-client';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { TextInput } from '../../controls/inputs.tsx';
import { useEnvironment } from '../../environment.ts';
import { fromLocalText, toLocalText } from '../../format/time.ts';
import { violationsOf } from '../../forms/change-errors.ts';
import { problemText } from '../../forms/fields.tsx';
import { RecordDialog, RecordDialogForm } from '../../forms/record-dialog.tsx';
import { ScopeBoxes } from '../../forms/scope-boxes.tsx';
import { problem, problemsOf } from '../../rules/problems.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';
import { isOwnOf, type TokenAction } from './token-columns.tsx';

interface TokenDialogProps {
  readonly action: TokenAction;
  readonly onClose: () => void;
}

export function TokenDialog({ action: { type, token }, onClose }: TokenDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  if (type === 'edit') return <EditTokenDialog id={token.id} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={t('token.revoke.title')}
      action={t('action.revoke')}
      onConfirm={async () => {
        await admin.accessTokens.revoke(token.id);
        notify(t('token.revoke.done'));
        await refresh();
      }}
      onClose={onClose}
    >
      <p>
        {rich('token.revoke.lead', { client: <code>{token.clientId}</code> })}
        {!isOwnOf(token) && ` ${t('token.revoke.refresh')}`}
        {token.part && ` ${t('token.part')}`}
      </p>
    </ConfirmDialog>
  );
}

interface EditTokenDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Narrows what a token allows, or lets it end at another time. */
function EditTokenDialog({ id, onClose }: EditTokenDialogProps) {
  const { admin } = useEnvironment();
  return (
    <RecordDialog
      title={t('token.edit.title')}
      queryKey={['token', id]}
      read={(options) => admin.accessTokens.get(id, options)}
      rows={3}
      onClose={onClose}
    >
      {(found, onStale) => (
        <EditToken key={found.version} found={found} onClose={onClose} onStale={onStale} />
      )}
    </RecordDialog>
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
  const change = useMutation({
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
  const { scopes: ofScopes = [], expires: ofExpires = [] } = problemsOf(violationsOf(change.error), [
    'scopes',
    'expires',
  ]).byField;
  const halfTyped = isHalfTyped ? [problem('rule.dateAndTime')] : [];

  function save() {
    if (!isHalfTyped) change.mutate();
  }

  return (
    <RecordDialogForm change={change} onSave={save} onClose={onClose} onStale={onStale}>
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
    </RecordDialogForm>
  );
}
