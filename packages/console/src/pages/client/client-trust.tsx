import type { ChangedClient, Client, Versioned } from '@watchword/admin-client';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { Button } from '../../controls/button.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { t } from '../../texts/texts.ts';

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
    notify(t('client.trust.done', { client: record.clientName }));
    await refresh();
  }

  return (
    <>
      {t(`client.trust.${trusted ? 'by' : 'no'}${skipConsent ? 'Skips' : ''}`)}{' '}
      {!trusted && mayWrite && isAdministrator && (
        <Button size="compact-xs" variant="default" onClick={() => setAsked(found)}>
          {t('client.trust.confirm')}
        </Button>
      )}
      {asked !== undefined && (
        <ConfirmDialog
          title={t('client.trust.title', { client: asked.record.clientName })}
          action={t('client.trust.confirm')}
          isHarmless
          onConfirm={() => confirm(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>{t('client.trust.lead')}</p>
          <RedirectUris client={asked.record} />
          <p>{t('client.trust.after')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function RedirectUris({ client: { redirectUris } }: { readonly client: Client }) {
  if (redirectUris.length === 0) return <p>{t('client.trust.noUri')}</p>;
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
      {t(`client.trust.warning${client.skipConsent ? 'Skips' : ''}`)}
    </p>
  );
}

/** The message after saving. */
export function savedText({ reset }: ChangedClient): string {
  if (reset === undefined) return t('client.saved');
  return t(reset.includes('skipConsent') ? 'client.savedResetSkips' : 'client.savedReset');
}
