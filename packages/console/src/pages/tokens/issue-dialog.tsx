import { useMutation } from '@tanstack/react-query';
import type { Client } from '@watchword/admin-client';
import { type FormEvent, useState } from 'react';
import { useClientChoice } from '../../api/choices.ts';
import { useRefresh } from '../../api/queries.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { SecretDialog } from '../../components/dialogs/secret-dialog.tsx';
import { Problem } from '../../components/problem.tsx';
import { Snippets } from '../../components/records/snippets.tsx';
import { SearchSelect } from '../../components/search/search-select.tsx';
import { useIsEarly } from '../../components/use-is-early.ts';
import { Button } from '../../controls/button.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { violationsOf } from '../../forms/change-errors.ts';
import { ScopeBoxes } from '../../forms/scope-boxes.tsx';
import { tokenSnippets } from '../../snippets/resource-server-snippets.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';

interface IssueDialogProps {
  /** The client that it is for; else one is chosen. */
  readonly client: Client | undefined;
  readonly onClose: () => void;
}

/** Issues a token by an administrator, in the name of the signed-in user. */
export function IssueDialog({ client: only, onClose }: IssueDialogProps) {
  const { admin } = useEnvironment();
  const { principal } = usePerson();
  const refresh = useRefresh();
  const [client, setClient] = useState(only);
  const [scopes, setScopes] = useState(only?.scopes ?? []);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (clientId: string) => admin.accessTokens.create({ clientId, scopes }),
    onSuccess: () => refresh(),
  });
  const isEarly = useIsEarly(error);

  if (data !== undefined) {
    return (
      <SecretDialog
        shown={{
          title: t('token.issue.done'),
          kind: 'token',
          secret: data.token,
          advice: (
            <p>
              {rich('token.issue.advice', {
                owner: data.resourceOwnerId,
                client: <code>{data.clientId}</code>,
              })}
            </p>
          ),
          use: <Snippets snippets={tokenSnippets(data.token)} />,
        }}
        onClose={onClose}
      />
    );
  }

  function issue(event: FormEvent) {
    event.preventDefault();
    if (client !== undefined) mutate(client.clientId);
  }

  function choose(chosen: Client) {
    setClient(chosen);
    setScopes(chosen.scopes);
  }

  return (
    <Dialog onClose={onClose} title={t('tokens.issue')}>
      <form className="stack" onSubmit={issue} noValidate>
        <p className="quiet">{rich('token.issue.lead', { person: principal.name })}</p>
        {only === undefined && <ClientSelect chosen={client} onChoose={choose} />}
        {client !== undefined && (
          <ScopeBoxes available={client.scopes} chosen={scopes} onChange={setScopes} />
        )}
        {error !== null && <ViolationsOf error={error} />}
        <div className="dialog-actions">
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={isEarly || client === undefined}>
            {t('token.issue.action')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function ViolationsOf({ error }: { readonly error: unknown }) {
  const violations = violationsOf(error);
  if (violations.length === 0) return <Problem error={error} />;
  return (
    <ul className="problem" role="alert">
      {violations.map((violation) => (
        <li key={violation}>{violation}</li>
      ))}
    </ul>
  );
}

interface ClientSelectProps {
  readonly chosen: Client | undefined;
  readonly onChoose: (client: Client) => void;
}

function ClientSelect({ chosen, onChoose }: ClientSelectProps) {
  const [q, setQ] = useState('');
  const { data, error, refetch, isPlaceholderData } = useClientChoice(q);
  const clients = data?.items ?? [];
  return (
    <>
      <SearchSelect
        label={t('token.client')}
        placeholder={t('token.issue.choose')}
        chosen={chosen && optionOf(chosen)}
        options={clients.map(optionOf)}
        hasMore={data?.isComplete === false}
        isLoading={data === undefined || isPlaceholderData}
        onSearch={setQ}
        onChoose={({ value }) => {
          const client = clients.find(({ clientId }) => clientId === value);
          if (client !== undefined) onChoose(client);
        }}
      />
      {error !== null && <Problem error={error} onRetry={refetch} />}
    </>
  );
}

function optionOf({ clientId, clientName }: Client) {
  return { value: clientId, label: clientName, ...(clientName !== clientId && { note: clientId }) };
}
