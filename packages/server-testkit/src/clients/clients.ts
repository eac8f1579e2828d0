import {
  type AdministrationDependencies,
  type ClientWithSecret,
  clientAdministration,
  type ResourceServerRegistration,
  type ResourceServerWithSecret,
  resourceServerAdministration,
  systemCaller,
} from '@watchword/administration';
import type { ClientRegistration, Identity } from '@watchword/protocol';
import { clientRegistration, resourceServerRegistration } from '@watchword/testkit';
import { systemClock, systemRandom } from '../../../server/src/system.ts';
import type { Served } from '../servers/server.ts';

const deps = { clock: systemClock, random: systemRandom };

/** Registers a client of the demo resource server, and waits until the registry of the server has it. */
export async function registerClient(
  server: Served,
  registration: Partial<ClientRegistration> = {},
  resourceServerKey = 'demo-resource-server',
  rules: Pick<AdministrationDependencies, 'operatorIssuers'> = {},
): Promise<ClientWithSecret & { credentials: string }> {
  const { store } = server.service;
  const resourceServer = await store.resourceServers.find(resourceServerKey);
  if (resourceServer === undefined) throw new Error(`no resource server ${resourceServerKey}`);
  const clients = clientAdministration({ ...deps, ...store, ...rules });
  const created = await clients.create(systemCaller, resourceServer.id, {
    fields: clientRegistration({ scopes: ['read'], ...registration }),
  });
  await store.refreshRegistry();
  return { ...created, credentials: `${created.client.clientId}:${created.secret}` };
}

export async function registerResourceServer(
  server: Served,
  name: string,
  registration: Partial<ResourceServerRegistration> = {},
  owner: Identity = { identityProvider: '', name: 'test' },
): Promise<ResourceServerWithSecret & { credentials: string }> {
  const { store } = server.service;
  const created = await resourceServerAdministration({ ...deps, ...store }).create(
    systemCaller,
    { fields: resourceServerRegistration({ name, ...registration }) },
    { owner },
  );
  await store.refreshRegistry();
  return { ...created, credentials: `${created.resourceServer.key}:${created.secret}` };
}
