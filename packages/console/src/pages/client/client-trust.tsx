import type { ChangedClient, Client, Versioned } from '@watchword/admin-client';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { Button } from '../../controls/button.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { t } from '../../texts/texts.ts';

/** Those that a client gets once an administrator confirmed it. */
const confirmedScopes: readonly string[] = ['email', 'address', 'phone', 'groups'];

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

/** Above a client that no administrator confirmed: what it does not get of users, or gets all the same. */
export function Unconfirmed({ client }: { readonly client: Client }) {
  const { isAdministrator } = usePerson();
  const kept = keptScopes(client);
  const { withheldScopes = [] } = client;
  if (withheldScopes.length === 0 && kept.length === 0) return undefined;
  const text = withheldScopes.length > 0 ? 'client.trust.withheld' : 'client.trust.kept';
  return (
    <p className="warning">
      {t(text, { scopes: (withheldScopes.length > 0 ? withheldScopes : kept).join(', ') })}{' '}
      {t(isAdministrator ? 'client.trust.confirmAdvice' : 'client.trust.askAdvice')}
    </p>
  );
}

/** The scopes that it only has because it was registered before a confirmation was needed. */
function keptScopes({ keepsUserData, openidScopes }: Client): readonly string[] {
  return keepsUserData ? openidScopes.filter((scope) => confirmedScopes.includes(scope)) : [];
}

/** Shown before saving to a user whose changes end the trust. */
export function TrustWarning({ client }: { readonly client: Client }) {
  const { isAdministrator } = usePerson();
  const isTrusted = client.trusted || client.skipConsent;
  if (isAdministrator || !(isTrusted || keptScopes(client).length > 0)) return undefined;
  return (
    <p className="warning" role="status">
      {t(isTrusted ? `client.trust.warning${client.skipConsent ? 'Skips' : ''}` : 'client.trust.warningKept')}
    </p>
  );
}

/** The message after saving. */
export function savedText({ reset }: ChangedClient): string {
  if (reset === undefined) return t('client.saved');
  if (reset.includes('skipConsent')) return t('client.savedResetSkips');
  return t(reset.includes('trusted') ? 'client.savedReset' : 'client.savedResetKept');
}
