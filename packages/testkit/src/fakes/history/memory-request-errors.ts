import type { RequestError, RequestErrorStore } from '@watchword/protocol';
import type { CountedRecords } from './memory-statistics.ts';

export function memoryRequestErrors({
  clients,
  servers,
}: Pick<CountedRecords, 'clients' | 'servers'>): RequestErrorStore {
  let stored: RequestError[] = [];
  const serverOf = ({ clientRecordId }: RequestError) =>
    servers.get(clients.get(clientRecordId)?.resourceServerId ?? 0);
  return {
    async append(errors, keptPerClient) {
      const all = [...stored, ...errors].toSorted((a, b) => (a.id < b.id ? 1 : -1));
      const byClient = Map.groupBy(all, ({ clientRecordId }) => clientRecordId);
      stored = [...byClient.values()].flatMap((ofClient) => ofClient.slice(0, keptPerClient));
    },
    find: async (requestId, since) =>
      stored
        .filter((error) => error.requestId === requestId && error.time >= since)
        .toSorted((a, b) => (a.id < b.id ? 1 : -1))[0],
    list: async ({ clientRecordId, owner, before, since, limit }) =>
      stored
        .filter((error) => clientRecordId === undefined || clientRecordId === error.clientRecordId)
        .filter((error) => {
          const server = serverOf(error);
          return (
            owner === undefined ||
            (server?.owner === owner.name && server.ownerAuthority === owner.identityProvider)
          );
        })
        .filter(({ id, time }) => time >= since && (before === undefined || id < before))
        .toSorted((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, limit),
  };
}
