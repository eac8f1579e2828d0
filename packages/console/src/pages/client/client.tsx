import type { Client, ResourceServer, Versioned } from '@watchword/admin-client';
import { useMemo } from 'react';
import { useClient, useRefresh, useResourceServer } from '../../api/queries.ts';
import { Code } from '../../components/code.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loading } from '../../components/loading.tsx';
import { useNotice } from '../../components/notices.tsx';
import { isSystemRecord, Owner } from '../../components/owner.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { Snippets } from '../../components/snippets.tsx';
import { TabsOf } from '../../components/tabs-of.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { FormFoot } from '../../forms/form-foot.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { resourceServerRoute, routes } from '../../router/routes.ts';
import { clientRules } from '../../rules/record-rules.ts';
import { clientSnippets } from '../../snippets/client-snippets.ts';
import { grantsOf } from '../clients/grants-of.ts';
import { TokenList } from '../tokens/token-list.tsx';
import { ClientDanger } from './client-danger.tsx';
import { ClientForm, fieldsOf } from './client-form.tsx';
import { savedText, TrustFact, TrustWarning } from './client-trust.tsx';

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
        {error === null ? (
          <Loading />
        ) : (
          <Problem error={error} onRetry={() => Promise.all([client.refetch(), resourceServer.refetch()])} />
        )}
      </>
    );
  }
  return <Shown found={client.data} resourceServer={resourceServer.data.record} />;
}

interface ShownProps {
  readonly found: Versioned<Client>;
  readonly resourceServer: ResourceServer;
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
          <dl className="facts">
            <div>
              <dt>clientId</dt>
              <dd>
                <Code text={record.clientId} what="the clientId" />
              </dd>
            </div>
            <div>
              <dt>Gets tokens by</dt>
              <dd>{grantsOf(record).join(', ') || <span className="warn-text">nothing yet</span>}</dd>
            </div>
            <TrustFact found={found} />
            {isAdministrator && (
              <div>
                <dt>Owner</dt>
                <dd>
                  <Owner {...resourceServer} />
                </dd>
              </div>
            )}
          </dl>
        }
      />
      <TabsOf
        label={record.clientName}
        tabs={[
          {
            key: 'settings',
            label: 'Settings',
            content: () => (
              <ClientSettings found={found} resourceServer={resourceServer} isSystem={isSystem} />
            ),
          },
          {
            key: 'use',
            label: 'Use it',
            content: () =>
              snippets.length > 0 ? (
                <Snippets snippets={snippets} />
              ) : (
                <EmptyState title="It can get no token yet">
                  <p>In its settings, allow client credentials or register a redirect URI.</p>
                </EmptyState>
              ),
          },
          { key: 'tokens', label: 'Tokens', content: () => <TokenList clientId={record.clientId} /> },
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

function ClientSettings({ found, resourceServer, isSystem }: ShownProps & { readonly isSystem: boolean }) {
  const { record, version } = found;
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  const refresh = useRefresh();
  const tell = useNotice();
  const stored = useMemo(() => fieldsOf(record), [record]);
  const rules = useMemo(() => clientRules(resourceServer.scopes), [resourceServer]);
  const form = useRecordForm({
    draftKey: `client:${record.id}`,
    stored,
    rules,
    save: async (fields) => {
      const address = { resourceServerId: resourceServer.id, id: record.id };
      const { record: saved } = await admin.clients.replace(address, fields, { version });
      await refresh();
      tell(savedText(saved));
    },
  });
  return (
    <ClientForm form={form} scopes={resourceServer.scopes} isDisabled={!mayWrite} isSystem={isSystem}>
      {mayWrite && (
        <FormFoot
          form={form}
          action="Save"
          note={<TrustWarning client={record} />}
          onReload={() => void refresh()}
        />
      )}
    </ClientForm>
  );
}
