import type { Versioned } from '@watchword/admin-client';
import { useClientsOf, useResourceServer } from '../../api/queries.ts';
import { Code } from '../../components/code.tsx';
import { Facts } from '../../components/facts.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { LostSecret } from '../../components/lost-secret.tsx';
import { isSystemRecord, Owner } from '../../components/owner.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Snippets } from '../../components/snippets.tsx';
import { TabsOf } from '../../components/tabs-of.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { WeakSecret } from '../../components/weak-secret.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { newClientRoute, routes } from '../../router/routes.ts';
import type { ShownResourceServer } from '../../rules/typed-resource-server.ts';
import { resourceServerSnippets } from '../../snippets/resource-server-snippets.ts';
import { t } from '../../texts/texts.ts';
import { ResourceServerClients } from './resource-server-clients.tsx';
import { ResourceServerDanger } from './resource-server-danger.tsx';
import { ResourceServerSettings } from './resource-server-settings.tsx';

const above = () => [{ to: routes.resourceServers, label: t('servers.title') }];

export function ResourceServerPage({ id }: { readonly id: number }) {
  const { data, error, refetch } = useResourceServer(id);
  if (data === undefined) {
    return (
      <>
        <PageHeader title={t('servers.one')} above={above()} />
        <Waiting error={error} refetch={refetch} />
      </>
    );
  }
  return <Shown found={data} />;
}

function Shown({ found }: { readonly found: Versioned<ShownResourceServer> }) {
  const { baseUrl } = useEnvironment();
  const { mayWrite, mayRegister, isAdministrator } = usePerson();
  const { record } = found;
  const clients = useClientsOf(record.id);
  const isSystem = isSystemRecord(record);
  return (
    <>
      <PageHeader
        title={record.name}
        above={above()}
        lead={
          <Facts
            facts={[
              { label: t('servers.key'), value: <Code text={record.key} what={t('server.theKey')} /> },
              ...(isAdministrator ? [{ label: t('servers.owner'), value: <Owner {...record} /> }] : []),
            ]}
          />
        }
        actions={
          mayRegister && (
            <LinkButton to={newClientRoute(record.id)} icon="plus">
              {t('server.registerClient')}
            </LinkButton>
          )
        }
      />
      <WeakSecret record={record} />
      <TabsOf
        label={record.name}
        tabs={[
          {
            key: 'clients',
            label: t('server.tab.clients'),
            content: () => <ResourceServerClients resourceServer={record} clients={clients} />,
          },
          {
            key: 'settings',
            label: t('server.tab.settings'),
            content: () => (
              <ResourceServerSettings found={found} clients={clients.data} isSystem={isSystem} />
            ),
          },
          {
            key: 'use',
            label: t('server.tab.use'),
            content: () => (
              <>
                <Snippets snippets={resourceServerSnippets(baseUrl, record)} />
                <LostSecret />
              </>
            ),
          },
          ...(mayWrite
            ? [
                {
                  key: 'danger',
                  label: t('server.tab.danger'),
                  // What is deleted with it has to be known first.
                  content: () =>
                    clients.data === undefined ? (
                      <Waiting {...clients} />
                    ) : (
                      <ResourceServerDanger found={found} clients={clients.data} isSystem={isSystem} />
                    ),
                },
              ]
            : []),
        ]}
      />
    </>
  );
}
