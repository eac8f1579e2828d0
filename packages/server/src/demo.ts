import { clientAdministration, resourceServerAdministration, secretMatches } from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import { systemClock, systemRandom } from './system.ts';

/** Records whose secrets are known to everyone who has read this file: for loopback only. */
const demo = {
  owner: 'demo',
  resourceServer: { key: 'demo-resource-server', secret: 'demo-resource-server-secret' },
  client: { clientId: 'demo-service', secret: 'demo-service-secret' },
} as const;

/** Fills an empty database with the demo records; `false` when it holds something already. */
export async function seedDemo(store: Store): Promise<boolean> {
  const [anything] = await store.resourceServers.list({ limit: 1 });
  if (anything !== undefined) return false;
  const world = { ...store, clock: systemClock, random: systemRandom };
  const contact = { contactName: 'Demo', contactEmail: '', thumbNailUrl: '' };
  const { resourceServer } = await resourceServerAdministration(world).create(
    {
      name: 'Demo Resource Server',
      description: 'An API to try token info with.',
      scopes: ['read', 'write'],
      ...contact,
    },
    demo.owner,
    demo.resourceServer.secret,
  );
  await clientAdministration(world).create(
    {
      clientName: 'Demo Service',
      description: 'A service to try client credentials with.',
      scopes: ['read'],
      redirectUris: [],
      allowedClientCredentials: true,
      allowedImplicitGrant: false,
      useRefreshTokens: false,
      skipConsent: false,
      includePrincipal: false,
      expireDuration: 0,
      attributes: {},
      ...contact,
    },
    resourceServer,
    demo.client.secret,
  );
  return true;
}

/** The demo records of the database that still have their well-known secrets. */
export async function demoRecords(store: Store): Promise<{ resourceServer: boolean; client: boolean }> {
  const resourceServer = await store.resourceServers.find(demo.resourceServer.key);
  const client = await store.clients.find(demo.client.clientId);
  const now = systemClock.now();
  return {
    resourceServer: secretMatches(resourceServer?.secret, demo.resourceServer.secret, now),
    client: secretMatches(client?.secret, demo.client.secret, now),
  };
}

/** Two commands to paste: get a token, ask who it belongs to. */
export function demoCommands(baseUrl: string): string {
  const client = `${demo.client.clientId}:${demo.client.secret}`;
  const resourceServer = `${demo.resourceServer.key}:${demo.resourceServer.secret}`;
  return [
    `curl -u ${client} -d grant_type=client_credentials ${baseUrl}/oauth2/token`,
    `curl -u ${resourceServer} -d access_token=PASTE_THE_TOKEN ${baseUrl}/v1/tokeninfo`,
  ].join('\n\n');
}
