import type { ChangedClient, Client, Versioned } from '@watchword/admin-client';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { Button } from '../../controls/button.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';

/** Whether the client is trusted; an administrator can confirm it here. */
export function Trust({ found }: { readonly found: Versioned<Client> }) {
  const { admin } = useEnvironment();
  const { mayWrite, isAdministrator } = usePerson();
  const refresh = useRefresh();
  const notify = useNotice();
  // The record at the time when the dialog was opened: a newer state must not be confirmed unseen.
  const [asked, setAsked] = useState<Versioned<Client> | undefined>();
  const { trusted, skipConsent } = found.record;

  async function confirm({ record, version }: Versioned<Client>) {
    const address = { resourceServerId: record.resourceserver_id, id: record.id };
    await admin.clients.confirm(address, { version });
    notify(`${record.clientName} is trusted`);
    await refresh();
  }

  return (
    <>
      {`${trusted ? 'by an administrator' : 'no'}${skipConsent ? ', skips consent' : ''} `}
      {!trusted && mayWrite && isAdministrator && (
        <Button size="compact-xs" variant="default" onClick={() => setAsked(found)}>
          Confirm
        </Button>
      )}
      {asked !== undefined && (
        <ConfirmDialog
          title={`Trust ${asked.record.clientName}?`}
          action="Confirm"
          isHarmless
          onConfirm={() => confirm(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>You confirm its scopes, its grants and its redirect URIs as they are now:</p>
          <RedirectUris client={asked.record} />
          <p>When a user who is not an administrator changes them, the trust ends.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function RedirectUris({ client: { redirectUris } }: { readonly client: Client }) {
  if (redirectUris.length === 0) return <p>It has no redirect URI.</p>;
  return (
    <ul className="consequences">
      {redirectUris.map((uri) => (
        <li key={uri}>
          <code>{uri}</code>
        </li>
      ))}
    </ul>
  );
}

/** Shown before saving to a user whose changes end the trust. */
export function TrustWarning({ client }: { readonly client: Client }) {
  const { isAdministrator } = usePerson();
  if (isAdministrator || !(client.trusted || client.skipConsent)) return undefined;
  return (
    <p className="warning" role="status">
      An administrator trusts this client. A change of its scopes, its redirect URIs or how it gets tokens
      ends that{client.skipConsent && ', and people are asked for consent again'}.
    </p>
  );
}

/** The message after saving. */
export function savedText({ reset }: ChangedClient): string {
  if (reset === undefined) return 'Saved';
  const consequence = reset.includes('skipConsent') ? ', and people are asked for consent again' : '';
  return `Saved. The client is no longer trusted${consequence}. An administrator can confirm it.`;
}
