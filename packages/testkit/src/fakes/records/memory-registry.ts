import { isPublicClient, type Registry, redirectUriOrigin, scriptOrigin } from '@watchword/protocol';
import { isOwnedBy, type MemoryRecords } from './memory-records.ts';

export function memoryRegistry({ clients, servers, clientByClientId, serverByKey }: MemoryRecords): Registry {
  return {
    clientByClientId,
    clientById: (id) => clients.get(id),
    resourceServerByKey: serverByKey,
    resourceServerById: (id) => servers.get(id),
    resourceServers: () => servers.values(),
    countResourceServers: (owner) =>
      [...servers.values()].filter((server) => owner === undefined || isOwnedBy(owner, server)).length,
    countClients: (of) =>
      [...clients.values()].filter(({ resourceServerId }) => {
        if (of === undefined) return true;
        return 'owner' in of
          ? isOwnedBy(of.owner, servers.get(resourceServerId))
          : resourceServerId === of.resourceServerId;
      }).length,
    refresh: async () => {},
    isPublicClientOrigin: (origin) =>
      [...clients.values()]
        .filter(isPublicClient)
        .some(({ redirectUris }) =>
          redirectUris.some((uri) => redirectUriOrigin(uri) === scriptOrigin(origin)),
        ),
  };
}
