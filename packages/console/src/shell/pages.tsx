import type { ReactNode } from 'react';
import { Access } from '../pages/access/access.tsx';
import { AuditLog } from '../pages/audit/audit-log.tsx';
import { Clients } from '../pages/clients/clients.tsx';
import { ResourceServers } from '../pages/resource-servers/resource-servers.tsx';
import { Tokens } from '../pages/tokens/tokens.tsx';
import { match } from '../router/place.ts';
import { routes } from '../router/routes.ts';
import { NothingHere } from './nothing-here.tsx';
import { part } from './part.ts';

// Lists are part of the first file. Forms are fetched when one is first opened, and charts with the overview.
const Overview = part(async () => (await import('../pages/overview/overview.tsx')).Overview);
const IdentityProviders = part(
  async () => (await import('../pages/identity-providers/identity-providers.tsx')).IdentityProviders,
);
const records = () => import('../pages/records.ts');
const NewResourceServer = part(async () => (await records()).NewResourceServer);
const ResourceServerPage = part(async () => (await records()).ResourceServerPage);
const NewClient = part(async () => (await records()).NewClient);
const Accounts = part(async () => (await records()).Accounts);
const ClientNamed = part(async () => (await records()).ClientNamed);
const PersonPage = part(async () => (await records()).PersonPage);
const RequestErrorPage = part(async () => (await records()).RequestErrorPage);
const ClientPage = part(async () => (await records()).ClientPage);

type Values = Readonly<Record<string, string>>;

const pages: readonly (readonly [pattern: string, page: (values: Values) => ReactNode])[] = [
  [routes.overview, () => <Overview />],
  [routes.resourceServers, () => <ResourceServers />],
  [routes.newResourceServer, () => <NewResourceServer />],
  [routes.resourceServer, ({ id }) => <ResourceServerPage key={id} id={Number(id)} />],
  [routes.newClient, ({ id }) => <NewClient key={id} resourceServerId={Number(id)} />],
  [
    routes.client,
    ({ id, clientId }) => <ClientPage key={clientId} resourceServerId={Number(id)} id={Number(clientId)} />,
  ],
  [routes.clientNamed, ({ named = '' }) => <ClientNamed clientId={named} />],
  [routes.clients, () => <Clients />],
  [routes.access, () => <Access />],
  [
    routes.person,
    ({ identityProvider = '', name = '' }) => (
      <PersonPage resourceOwnerAuthority={identityProvider} resourceOwnerId={name} />
    ),
  ],
  [routes.tokens, () => <Tokens />],
  [routes.accounts, () => <Accounts />],
  [routes.identityProviders, () => <IdentityProviders />],
  [routes.requestError, ({ requestId = '' }) => <RequestErrorPage requestId={requestId} />],
  [routes.audit, () => <AuditLog />],
];

export function pageAt(path: string): ReactNode {
  for (const [pattern, page] of pages) {
    const values = match(pattern, path);
    if (values !== undefined && ['id', 'clientId'].every((name) => /^\d{1,15}$/.test(values[name] ?? '0'))) {
      return page(values);
    }
  }
  return <NothingHere />;
}
