import { useQuery } from '@tanstack/react-query';
import { type Client, readAll, type Versioned } from '@watchword/admin-client';
import { Suspense, useEffect } from 'react';
import { readWhole, useClient, useResourceServer } from '../../api/queries.ts';
import { Code } from '../../components/code.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Loading } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Facts } from '../../components/records/facts.tsx';
import { Managed, UnlessManaged } from '../../components/records/managed.tsx';
import { isSystemRecord, Owner } from '../../components/records/owner.tsx';
import { WeakSecret } from '../../components/records/weak-secret.tsx';
import { TabsOf } from '../../components/tabs-of.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { numberText } from '../../format/count.ts';
import { Link } from '../../router/link.tsx';
import { part } from '../../router/part.ts';
import { currentRoute, goTo, placeOf, routeTo } from '../../router/place.ts';
import { clientRoute, resourceServerRoute, routes } from '../../router/routes.ts';
import type { ShownResourceServer } from '../../rules/typed-resource-server.ts';
import { usesSecret } from '../../rules/uses-secret.ts';
import { t } from '../../texts/texts.ts';
import { AccessList } from '../access/access-list.tsx';
import { grantsOf } from '../clients/grants-of.ts';
import { TokenList } from '../tokens/token-list.tsx';
import { ClientDanger } from './client-danger.tsx';
import { ClientErrors } from './client-errors.tsx';
import { ExpiringSecret, LacksSecret } from './client-secret.tsx';
import { ClientSettings } from './client-settings.tsx';
import { Trust, Unconfirmed } from './client-trust.tsx';

const ClientRights = part(async () => (await import('./client-rights.tsx')).ClientRights);
const ClientSecrets = part(async () => (await import('./client-secrets.tsx')).ClientSecrets);
const ClientUse = part(async () => (await import('./client-use.tsx')).ClientUse);
const LoginTest = part(async () => (await import('./login-test/login-test.tsx')).LoginTest);

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
        <PageHeader title={t('access.client')} above={[{ to: routes.clients, label: t('clients.title') }]} />
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

/** Clients that the server itself needs. */
const builtIn = new Set(['authorization-server-admin-js-client', 'authorization-server-admin-cli']);

function Shown({ found, resourceServer }: ShownProps) {
  const { mayWrite, isAdministrator } = usePerson();
  const { record } = found;
  const isSystem = isSystemRecord(resourceServer) && builtIn.has(record.clientId);
  return (
    <>
      <PageHeader
        title={record.clientName}
        above={[
          { to: routes.resourceServers, label: t('servers.title') },
          { to: resourceServerRoute(resourceServer.id), label: resourceServer.name },
        ]}
        lead={<Lead found={found} resourceServer={resourceServer} />}
      />
      <Managed record={record} />
      <UnlessManaged record={record}>
        <LacksSecret client={record} />
        <ExpiringSecret client={record} />
        <WeakSecret record={record} />
        <Unconfirmed client={record} />
      </UnlessManaged>
      <TabsOf
        label={record.clientName}
        tabs={[
          {
            key: 'use',
            label: t('client.tab.use'),
            content: () =>
              grantsOf(record).length > 0 ? (
                <Suspense fallback={<Loading />}>
                  <ClientUse client={record} />
                </Suspense>
              ) : (
                <EmptyState title={t('client.noGrant.title')}>
                  <p>{t('client.noGrant.advice')}</p>
                  {mayWrite && (
                    <LinkButton to={routeTo(clientRoute(resourceServer.id, record.id), { tab: 'settings' })}>
                      {t('client.noGrant.settings')}
                    </LinkButton>
                  )}
                </EmptyState>
              ),
          },
          ...(isAdministrator && isSystemRecord(resourceServer) && record.allowedClientCredentials
            ? [{ key: 'rights', label: t('rights.title'), content: () => <ClientRights client={record} /> }]
            : []),
          ...(isAdministrator && mayWrite && !isSystem
            ? [
                {
                  key: 'login',
                  label: t('client.tab.login'),
                  content: () => <LoginTest found={found} />,
                },
              ]
            : []),
          ...(usesSecret(record)
            ? [
                {
                  key: 'secrets',
                  label: t('secrets.title'),
                  content: () => <ClientSecrets client={record} />,
                },
              ]
            : []),
          { key: 'access', label: t('access.title'), content: () => <AccessList client={record} /> },
          { key: 'tokens', label: t('tokens.title'), content: () => <TokenList client={record} /> },
          { key: 'errors', label: t('client.tab.errors'), content: () => <ClientErrors client={record} /> },
          {
            key: 'settings',
            label: t('client.tab.settings'),
            content: () => (
              <UnlessManaged record={record}>
                <ClientSettings found={found} resourceServer={resourceServer} isSystem={isSystem} />
              </UnlessManaged>
            ),
          },
          ...(mayWrite
            ? [
                {
                  key: 'danger',
                  label: t('client.tab.danger'),
                  content: () => <ClientDanger client={record} isSystem={isSystem} />,
                },
              ]
            : []),
        ]}
      />
    </>
  );
}

/** What the client is, and how much it is used. */
function Lead({ found, resourceServer }: ShownProps) {
  const { isAdministrator } = usePerson();
  const { record } = found;
  return (
    <>
      <Facts
        facts={[
          {
            label: t('client.idName'),
            value: <Code text={record.clientId} what={t('client.theClientId')} />,
          },
          {
            label: t('clients.getsTokensBy'),
            value: grantsOf(record).join(', ') || (
              <span className="warn-text">{t('clients.nothingYet')}</span>
            ),
          },
          {
            label: t('client.trusted'),
            value: (
              <UnlessManaged record={record}>
                <Trust found={found} />
              </UnlessManaged>
            ),
          },
          ...(isAdministrator ? [{ label: t('servers.owner'), value: <Owner {...resourceServer} /> }] : []),
        ]}
      />
      <ClientNumbers client={record} />
    </>
  );
}

/** Goes to the page of the client with a clientId: tokens and audit events have no record id of their client. */
export function ClientNamed({ clientId }: { readonly clientId: string }) {
  const { admin } = useEnvironment();
  const { data, error, refetch } = useQuery({
    queryKey: ['clients', 'named', clientId],
    queryFn: async ({ signal }) => {
      const search = (page: object) => admin.clients.listAll({ ...page, q: clientId }, { signal });
      const { items } = await readAll(search, readWhole);
      return items.find((client) => client.clientId === clientId) ?? null;
    },
  });
  useEffect(() => {
    if (data == null) return;
    const { query } = placeOf(currentRoute());
    const to = clientRoute(data.resourceserver_id, data.id);
    goTo(routeTo(to, Object.fromEntries(query)), { replace: true });
  }, [data]);
  if (data !== null) return <Waiting error={error} refetch={refetch} />;
  return (
    <EmptyState title={t('client.missing.title', { clientId })} isHeading>
      <p>{t('client.missing.advice')}</p>
      <Link to={routes.clients}>{t('client.missing.clients')}</Link>
    </EmptyState>
  );
}

/** How much the client is used. The line has its place before the numbers are read. */
function ClientNumbers({ client }: { readonly client: Client }) {
  const { admin } = useEnvironment();
  const { resourceserver_id: resourceServerId, id } = client;
  const { data } = useQuery({
    queryKey: ['statistics', 'client', id],
    queryFn: ({ signal }) => admin.clients.statistics({ resourceServerId, id }, undefined, { signal }),
    refetchInterval: 60_000,
  });
  const linked = (tab: string, number: number | undefined) =>
    number === undefined ? (
      '…'
    ) : (
      <Link to={routeTo(clientRoute(resourceServerId, id), { tab })}>{numberText(number)}</Link>
    );
  return (
    <Facts
      facts={[
        { label: t('overview.validTokens'), value: linked('tokens', data?.tokens) },
        { label: t('client.people'), value: linked('access', data?.resourceOwners) },
        { label: t('overview.issuedIn.day'), value: data ? numberText(data.issued) : '…' },
        ...(data?.lastIssued == null
          ? []
          : [{ label: t('client.lastIssued'), value: <LastHour start={data.lastIssued} /> }]),
      ]}
    />
  );
}

const hourMs = 3_600_000;

/** Issued tokens are counted by hour, so the time within the hour is not known. @param start of the hour, in epoch milliseconds */
function LastHour({ start }: { readonly start: number }) {
  return Date.now() - start < hourMs ? t('client.thisHour') : <Timestamp time={start} />;
}
