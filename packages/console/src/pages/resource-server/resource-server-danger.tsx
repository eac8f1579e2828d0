import type { Client, ReadList, ResourceServer, Versioned } from '@watchword/admin-client';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { DangerZone } from '../../components/danger-zone.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { RotateDialog } from '../../components/dialogs/rotate-dialog.tsx';
import { SecretDialog, type ShownSecret } from '../../components/dialogs/secret-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { managedText } from '../../components/records/managed.tsx';
import { useEnvironment } from '../../environment.ts';
import { goTo } from '../../router/place.ts';
import { routes } from '../../router/routes.ts';
import { t } from '../../texts/texts.ts';
import { shownSecret } from './new-resource-server.tsx';

interface ResourceServerDangerProps {
  readonly found: Versioned<ResourceServer>;
  readonly clients: ReadList<Client>;
  readonly isSystem: boolean;
}

export function ResourceServerDanger(props: ResourceServerDangerProps) {
  const { found, clients, isSystem } = props;
  const total = clients.total ?? clients.items.length;
  const { record } = found;
  const environment = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const [dialog, setDialog] = useState<'rotate' | 'delete' | undefined>();
  const [shown, setShown] = useState<ShownSecret | undefined>();

  const managed = managedText(record.managedBy);

  async function rotate(overlap: number) {
    const { secret = '' } = await environment.admin.resourceServers.rotateSecret(record.id, { overlap });
    setDialog(undefined);
    setShown(shownSecret(record, secret, environment, t('server.rotate.done')));
    await refresh();
  }

  async function remove() {
    await environment.admin.resourceServers.delete(record.id);
    goTo(routes.resourceServers, { replace: true });
    notify(t('server.delete.done', { name: record.name }));
    await refresh();
  }

  return (
    <>
      <DangerZone
        actions={[
          {
            title: t('server.rotate.title'),
            lead: t('server.rotate.lead'),
            action: t('server.rotate.action'),
            onClick: () => setDialog('rotate'),
            isHarmless: true,
            impossibleBecause: managed,
          },
          {
            title: t('server.delete.title'),
            lead: t('server.delete.lead'),
            action: t('action.delete'),
            onClick: () => setDialog('delete'),
            impossibleBecause: isSystem ? t('server.delete.impossible') : managed,
          },
        ]}
      />
      {dialog === 'rotate' && (
        <RotateDialog of="resourceServer" onRotate={rotate} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={t('server.delete.ask', { name: record.name })}
          action={t('action.delete')}
          typed={total > 0 ? record.key : undefined}
          onConfirm={remove}
          onClose={() => setDialog(undefined)}
        >
          <p>{t('server.delete.consequences')}</p>
          <ul className="consequences">
            <li>{t('server.delete.key')}</li>
            {total > 0 && (
              <li>{t('server.delete.clients', { count: total, names: named(clients.items, total) })}</li>
            )}
            <li>{t(total > 0 ? 'server.delete.tokensOfThese' : 'server.delete.tokens')}</li>
          </ul>
        </ConfirmDialog>
      )}
      {shown !== undefined && <SecretDialog shown={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

function named(clients: readonly Client[], total: number): string {
  const named = clients.slice(0, 8).map(({ clientName }) => clientName);
  const names = named.join(', ');
  const count = total - named.length;
  return count > 0 ? t('server.delete.more', { names, count }) : names;
}
