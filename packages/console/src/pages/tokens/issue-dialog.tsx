import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { type AccessToken, AdminError } from '@watchword/admin-client';
import { type FormEvent, useState } from 'react';
import { useAllClients } from '../../api/all-clients.ts';
import { useRefresh } from '../../api/queries.ts';
import { Dialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loading } from '../../components/loading.tsx';
import { Problem } from '../../components/problem.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { FieldGroup } from '../../forms/fields.tsx';

interface IssueDialogProps {
  /** The client that it is for; else one is chosen. */
  readonly clientId: string | undefined;
  readonly onClose: () => void;
}

/** Issues a token by hand, in the name of whoever is signed in. */
export function IssueDialog({ clientId, onClose }: IssueDialogProps) {
  const { admin } = useEnvironment();
  const { principal } = usePerson();
  const refresh = useRefresh();
  const { data } = useAllClients({ q: clientId ?? '' });
  const [chosen, setChosen] = useState(clientId);
  const [without, setWithout] = useState<readonly string[]>([]);
  const [issued, setIssued] = useState<(AccessToken & { readonly token: string }) | undefined>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const clients = data?.items.map(({ client }) => client) ?? [];
  const client =
    clients.find((candidate) => candidate.clientId === chosen) ??
    (clientId === undefined ? clients[0] : undefined);

  if (issued !== undefined) {
    return (
      <SecretDialog
        shown={{
          title: 'The token is issued',
          label: 'access token',
          secret: issued.token,
          advice: (
            <p>
              It speaks for <bdi>{issued.resourceOwnerId}</bdi>, through <code>{issued.clientId}</code>.
            </p>
          ),
        }}
        onClose={onClose}
      />
    );
  }

  async function issue(event: FormEvent) {
    event.preventDefault();
    if (client === undefined) return;
    setBusy(true);
    setError(undefined);
    try {
      const scopes = client.scopes.filter((scope) => !without.includes(scope));
      setIssued(await admin.accessTokens.create({ clientId: client.clientId, scopes }));
      await refresh();
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  }

  return (
    <Dialog onClose={onClose} title="Issue a token">
      {data === undefined ? (
        <Loading rows={2} />
      ) : client === undefined ? (
        <EmptyState title="There is no client to issue it to">
          <p>Register one first.</p>
        </EmptyState>
      ) : (
        <form className="stack" onSubmit={(event) => void issue(event)} noValidate>
          <p className="quiet">
            By hand, to try an API with. It speaks for you, <bdi>{principal.name}</bdi>.
          </p>
          {clientId === undefined && (
            <NativeSelect
              size="sm"
              label="Client"
              description={
                data.isComplete
                  ? undefined
                  : `Only the first ${clients.length} are listed: for another one, go to its page.`
              }
              value={client.clientId}
              onChange={({ currentTarget }) => {
                setChosen(currentTarget.value);
                setWithout([]);
              }}
              data={clients.map(({ clientId: value, clientName }) => ({
                value,
                label: clientName === value ? value : `${clientName} (${value})`,
              }))}
            />
          )}
          <FieldGroup label="Scopes" problems={[]}>
            <div className="scope-boxes">
              {client.scopes.map((scope) => (
                <Checkbox
                  key={scope}
                  size="sm"
                  label={<code>{scope}</code>}
                  checked={!without.includes(scope)}
                  onChange={({ currentTarget }) =>
                    setWithout(
                      currentTarget.checked
                        ? without.filter((other) => other !== scope)
                        : [...without, scope],
                    )
                  }
                />
              ))}
            </div>
          </FieldGroup>
          {error !== undefined && <ViolationsOf error={error} />}
          <div className="dialog-actions">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy}>
              Issue
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

function ViolationsOf({ error }: { readonly error: unknown }) {
  if (!(error instanceof AdminError) || error.violations.length === 0) return <Problem error={error} />;
  return (
    <ul className="problem" role="alert">
      {error.violations.map((violation) => (
        <li key={violation}>{violation}</li>
      ))}
    </ul>
  );
}
