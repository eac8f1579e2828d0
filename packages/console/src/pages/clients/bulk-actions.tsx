import type { BulkAction } from '../../components/bulk/bulk-bar.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { t } from '../../texts/texts.ts';
import type { ClientRow } from './client-columns.tsx';

/** What can be done with several clients. */
export function useClientActions(): readonly BulkAction<ClientRow>[] {
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  if (!mayWrite) return [];
  const addressOf = ({ client }: ClientRow) => ({
    resourceServerId: client.resourceserver_id,
    id: client.id,
  });
  return [
    {
      key: 'revoke',
      label: t('clients.bulk.revoke'),
      title: (clients) => t('clients.bulk.revokeTitle', { clients }),
      effect: <p>{t('clients.bulk.revokeEffect')}</p>,
      action: t('client.danger.revoke.action'),
      run: (row) => admin.clients.revokeTokens(addressOf(row)),
    },
    {
      key: 'delete',
      label: t('clients.bulk.delete'),
      title: (clients) => t('clients.bulk.deleteTitle', { clients }),
      effect: (
        <>
          <p>{t('clients.bulk.deleteEffect')}</p>
          <ul className="consequences">
            <li>{t('client.danger.delete.idAndSecret')}</li>
            <li>{t('client.danger.delete.tokens')}</li>
          </ul>
        </>
      ),
      action: t('action.delete'),
      isFinal: true,
      run: (row) => admin.clients.delete(addressOf(row)),
    },
  ];
}
