import { Button, Checkbox, TextInput } from '@mantine/core';
import { type AccessToken, AdminError } from '@watchword/admin-client';
import { type FormEvent, useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { Dialog } from '../../components/dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { Problem } from '../../components/problem.tsx';
import { useEnvironment } from '../../environment.ts';
import { FieldGroup, problemText } from '../../forms/fields.tsx';
import { type Problems, problemsOf } from '../../rules/problems.ts';
import { fromLocalText, toLocalText } from './local-time.ts';

interface EditTokenDialogProps {
  readonly token: AccessToken;
  readonly onClose: () => void;
}

/** Narrows what a token allows, or lets it end at another time. */
export function EditTokenDialog({ token, onClose }: EditTokenDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const tell = useNotice();
  const [scopes, setScopes] = useState(token.scopes);
  const [expires, setExpires] = useState(toLocalText(token.expires));
  const [problems, setProblems] = useState<Problems<'scopes' | 'expires'>>({});
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);

  async function save(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    setProblems({});
    try {
      await admin.accessTokens.update(token.id, {
        scopes,
        ...(expires !== toLocalText(token.expires) && { expires: fromLocalText(expires) }),
      });
      tell('The token is changed');
      onClose();
      await refresh();
    } catch (problem) {
      if (problem instanceof AdminError && problem.violations.length > 0) {
        setProblems(problemsOf(problem.violations, ['scopes', 'expires']).byField);
      } else setError(problem);
      setBusy(false);
    }
  }

  return (
    <Dialog onClose={onClose} title="Change this token">
      <form className="stack" onSubmit={(event) => void save(event)} noValidate>
        <p className="quiet">
          Of <code>{token.clientId}</code>, in the name of <bdi>{token.resourceOwnerId}</bdi>. Whoever holds
          it need not do anything.
        </p>
        <FieldGroup label="Scopes" hint="Can be taken away, and not given." problems={problems.scopes ?? []}>
          <div className="scope-boxes">
            {token.scopes.map((scope) => (
              <Checkbox
                key={scope}
                size="sm"
                label={<code>{scope}</code>}
                checked={scopes.includes(scope)}
                onChange={({ currentTarget }) =>
                  setScopes(
                    token.scopes.filter((other) =>
                      other === scope ? currentTarget.checked : scopes.includes(other),
                    ),
                  )
                }
              />
            ))}
          </div>
        </FieldGroup>
        <TextInput
          size="sm"
          type="datetime-local"
          step={1}
          label="Expires"
          description="In your time zone. Empty: never."
          value={expires}
          error={problemText('Expires', problems.expires ?? [])}
          onChange={({ currentTarget }) => setExpires(currentTarget.value)}
        />
        {error !== undefined && <Problem error={error} />}
        <div className="dialog-actions">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
