import { useQuery } from '@tanstack/react-query';
import { type OtherClient, readAll } from '@watchword/admin-client';
import { useState } from 'react';
import { readWhole, useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { Owner } from '../../components/records/owner.tsx';
import { Scopes } from '../../components/records/scopes.tsx';
import { Button } from '../../controls/button.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { Link } from '../../router/link.tsx';
import { routeTo } from '../../router/place.ts';
import { routes } from '../../router/routes.ts';
import { t } from '../../texts/texts.ts';

/** The clients of other resource servers that can use this one. Nothing as long as there are none. */
export function OtherClients({ resourceServerId }: { readonly resourceServerId: number }) {
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  const [removed, setRemoved] = useState<OtherClient | undefined>();
  const { data } = useQuery({
    queryKey: ['otherClients', resourceServerId],
    queryFn: ({ signal }) =>
      readAll((page) => admin.otherClients.list(resourceServerId, page, { signal }), readWhole),
  });
  if (data === undefined || data.items.length === 0) return undefined;
  return (
    <section className="part" aria-labelledby="other-clients">
      <h2 id="other-clients">{t('server.others.title')}</h2>
      <p className="quiet">{t('server.others.lead')}</p>
      <ul className="other-clients">
        {data.items.map((client) => (
          <li key={client.id}>
            <span>
              <strong>{client.clientName}</strong> <code>{client.clientId}</code> <Owner {...client} />
            </span>
            <Scopes scopes={client.scopes} />
            <Link to={routeTo(routes.tokens, { client: client.clientId })}>{t('tokens.title')}</Link>
            {mayWrite && (
              <Button
                variant="default"
                size="compact-xs"
                aria-label={t('server.others.removeOf', { client: client.clientName })}
                onClick={() => setRemoved(client)}
              >
                {t('server.others.remove')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {removed !== undefined && (
        <RemoveDialog
          resourceServerId={resourceServerId}
          client={removed}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </section>
  );
}

interface RemoveDialogProps {
  readonly resourceServerId: number;
  readonly client: OtherClient;
  readonly onClose: () => void;
}

function RemoveDialog({ resourceServerId, client, onClose }: RemoveDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const { id, clientName } = client;
  return (
    <ConfirmDialog
      title={t('server.others.ask', { client: clientName })}
      action={t('server.others.remove')}
      onConfirm={async () => {
        await admin.otherClients.remove({ resourceServerId, id });
        notify(t('server.others.removed', { client: clientName }));
        await refresh();
      }}
      onClose={onClose}
    >
      <p>{t('server.others.consequences')}</p>
    </ConfirmDialog>
  );
}
