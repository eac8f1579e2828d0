import type { ResourceOwner } from '@watchword/admin-client';

/** Every place there is. */
export const routes = {
  overview: '/',
  resourceServers: '/resource-servers',
  newResourceServer: '/resource-servers/new',
  resourceServer: '/resource-servers/:id',
  newClient: '/resource-servers/:id/clients/new',
  client: '/resource-servers/:id/clients/:clientId',
  clients: '/clients',
  clientNamed: '/clients/:named',
  describedClients: '/described-clients',
  access: '/access',
  person: '/people/:identityProvider/:name',
  tokens: '/tokens',
  accounts: '/accounts',
  identityProviders: '/identity-providers',
  newIdentityProvider: '/identity-providers/new',
  identityProvider: '/identity-providers/of/:named',
  signingKeys: '/signing-keys',
  branding: '/branding',
  settings: '/settings',
  requestError: '/errors/:requestId',
  audit: '/audit',
} as const;

export function resourceServerRoute(id: number): string {
  return `/resource-servers/${id}`;
}

export function clientRoute(resourceServerId: number, id: number): string {
  return `/resource-servers/${resourceServerId}/clients/${id}`;
}

export function clientNamedRoute(clientId: string): string {
  return `/clients/${encodeURIComponent(clientId)}`;
}

/** One that was set up, by its name. */
export function identityProviderRoute(name: string): string {
  return `/identity-providers/of/${encodeURIComponent(name)}`;
}

export function requestErrorRoute(requestId: string): string {
  return `/errors/${encodeURIComponent(requestId)}`;
}

/** The page of a person: a name is unique only together with its identity provider. */
export function personRoute({ resourceOwnerId, resourceOwnerAuthority }: ResourceOwner): string {
  return `/people/${encodeURIComponent(resourceOwnerAuthority)}/${encodeURIComponent(resourceOwnerId)}`;
}

export function newClientRoute(resourceServerId: number): string {
  return `/resource-servers/${resourceServerId}/clients/new`;
}
