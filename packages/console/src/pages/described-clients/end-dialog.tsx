import type { DescribedClient } from '@watchword/admin-client';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { useEnvironment } from '../../environment.ts';
import { t } from '../../texts/texts.ts';

/** What ends: one client, or all of a host, all that registered themselves, or all. */
export type Ending =
  | { readonly client: DescribedClient }
  | { readonly host: string }
  | { readonly registered: true }
  | { readonly all: true };

interface EndDialogProps {
  readonly ending: Ending;
  readonly onClose: () => void;
}

/** The record of such a client is what its users gave it, so it is deleted. */
export function EndDialog({ ending, onClose }: EndDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();

  async function end() {
    if ('client' in ending) {
      const { id, resourceserver_id: resourceServerId, clientName } = ending.client;
      await admin.clients.delete({ resourceServerId, id });
      notify(t('described.end.done', { client: clientName }));
    } else {
      const { clients } = await admin.describedClients.endAll(ending);
      notify(t('described.endAll.done', { count: clients }));
    }
    await refresh();
  }

  return (
    <ConfirmDialog
      title={titleOf(ending)}
      action={t('endAccess.all.action')}
      onConfirm={end}
      onClose={onClose}
    >
      {'client' in ending && (
        <p>
          <code>{ending.client.clientId}</code>
        </p>
      )}
      <p>{t('endAccess.all.lead')}</p>
      <ul className="consequences">
        <li>
          {'client' in ending
            ? t('described.end.users', { count: ending.client.users })
            : t('described.endAll.users')}
        </li>
      </ul>
      <p>{t('client' in ending ? 'described.end.after' : 'described.endAll.after')}</p>
    </ConfirmDialog>
  );
}

function titleOf(ending: Ending): string {
  if ('client' in ending) return t('described.end.title', { client: ending.client.clientName });
  if ('host' in ending) return t('described.endAll.title', { host: ending.host });
  return t('all' in ending ? 'described.everything.title' : 'described.registered.title');
}
