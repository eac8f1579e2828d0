/** Every place there is. */
export const routes = {
  overview: '/',
  resourceServers: '/resource-servers',
  newResourceServer: '/resource-servers/new',
  resourceServer: '/resource-servers/:id',
  newClient: '/resource-servers/:id/clients/new',
  client: '/resource-servers/:id/clients/:clientId',
  clients: '/clients',
  access: '/access',
  tokens: '/tokens',
  accounts: '/accounts',
  identityProviders: '/identity-providers',
  audit: '/audit',
} as const;

export function resourceServerRoute(id: number): string {
  return `/resource-servers/${id}`;
}

export function clientRoute(resourceServerId: number, id: number): string {
  return `/resource-servers/${resourceServerId}/clients/${id}`;
}

export function newClientRoute(resourceServerId: number): string {
  return `/resource-servers/${resourceServerId}/clients/new`;
}
