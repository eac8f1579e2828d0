import type { Client, Versioned } from '@watchword/admin-client';
import { useClient, useResourceServer } from '../../api/queries.ts';
import { Code } from '../../components/code.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Facts } from '../../components/facts.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { LostSecret } from '../../components/lost-secret.tsx';
import { isSystemRecord, Owner } from '../../components/owner.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Snippets } from '../../components/snippets.tsx';
import { TabsOf } from '../../components/tabs-of.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { routeTo } from '../../router/place.ts';
import { clientRoute, resourceServerRoute, routes } from '../../router/routes.ts';
import type { ShownResourceServer } from '../../rules/typed-resource-server.ts';
import { clientSnippets } from '../../snippets/client-snippets.ts';
import { AccessList } from '../access/access-list.tsx';
import { grantsOf } from '../clients/grants-of.ts';
import { TokenList } from '../tokens/token-list.tsx';
import { ClientDanger } from './client-danger.tsx';
import { LacksSecret } from './client-secret.tsx';
import { ClientSettings } from './client-settings.tsx';
import { Trust } from './client-trust.tsx';

interface ClientPageProps {
  readonly resourceServerId: number;
  readonly id: number;
}

export function ClientPage({ resourceServerId, id }: ClientPageProps) {
  const client = useClient({ resourceServerId, id });
  const resourceServer = useResourceServer(resourceServerId);
  const error = client.error ?? resourceServer.error;
  if (client.data === undefined || resourceServer.data === undefined) {
    return (
      <>
        <PageHeader title="Client" above={[{ to: routes.clients, label: 'Clients' }]} />
        <Waiting error={error} refetch={() => Promise.all([client.refetch(), resourceServer.refetch()])} />
      </>
    );
  }
  return <Shown found={client.data} resourceServer={resourceServer.data.record} />;
}

interface ShownProps {
  readonly found: Versioned<Client>;
  readonly resourceServer: ShownResourceServer;
}

function Shown({ found, resourceServer }: ShownProps) {
  const { baseUrl } = useEnvironment();
  const { mayWrite, isAdministrator } = usePerson();
  const { record } = found;
  const isSystem =
    isSystemRecord(resourceServer) && record.clientId === 'authorization-server-admin-js-client';
  const snippets = clientSnippets(baseUrl, record);
  return (
    <>
      <PageHeader
        title={record.clientName}
        above={[
          { to: routes.resourceServers, label: 'Resource servers' },
          { to: resourceServerRoute(resourceServer.id), label: resourceServer.name },
        ]}
        lead={
          <Facts
            facts={[
              { label: 'clientId', value: <Code text={record.clientId} what="the clientId" /> },
              {
                label: 'Gets tokens by',
                value: grantsOf(record).join(', ') || <span className="warn-text">nothing yet</span>,
              },
              { label: 'Trusted', value: <Trust found={found} /> },
              ...(isAdministrator ? [{ label: 'Owner', value: <Owner {...resourceServer} /> }] : []),
            ]}
          />
        }
      />
      <LacksSecret client={record} />
      <TabsOf
        label={record.clientName}
        tabs={[
          {
            key: 'use',
            label: 'Use it',
            content: () =>
              snippets.length > 0 ? (
                <>
                  <Snippets snippets={snippets} />
                  {record.confidential && <LostSecret />}
                </>
              ) : (
                <EmptyState title="It cannot get a token yet">
                  <p>Allow client credentials, or register a redirect URI.</p>
                  {mayWrite && (
                    <LinkButton to={routeTo(clientRoute(resourceServer.id, record.id), { tab: 'settings' })}>
                      Change its settings
                    </LinkButton>
                  )}
                </EmptyState>
              ),
          },
          {
            key: 'settings',
            label: 'Settings',
            content: () => (
              <ClientSettings found={found} resourceServer={resourceServer} isSystem={isSystem} />
            ),
          },
          { key: 'access', label: 'Access', content: () => <AccessList client={record} /> },
          { key: 'tokens', label: 'Tokens', content: () => <TokenList client={record} /> },
          ...(mayWrite
            ? [
                {
                  key: 'danger',
                  label: 'Secret and removal',
                  content: () => <ClientDanger client={record} isSystem={isSystem} />,
                },
              ]
            : []),
        ]}
      />
    </>
  );
}
