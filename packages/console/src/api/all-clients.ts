import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type AdminClient, AdminError, type ResourceServer, readAll } from '@watchword/admin-client';
import { useEnvironment } from '../environment.ts';
import { inBatches } from './in-batches.ts';
import { readWhole, resourceServersQuery } from './queries.ts';

interface AllClientsFilter {
  /** Searched by the server. */
  readonly q?: string;
  /** Record id of the one resource server whose clients are asked for, else `''`. */
  readonly of?: string;
}

/** Clients of all resource servers, each together with its own. */
export function useAllClients({ q = '', of = '' }: AllClientsFilter = {}) {
  const { admin } = useEnvironment();
  const queries = useQueryClient();
  return useQuery({
    queryKey: ['clients', 'all', q, of],
    queryFn: async ({ signal }) => {
      const [servers, clients] = await Promise.all([
        queries.fetchQuery({ ...resourceServersQuery(admin, ''), staleTime: 60_000 }),
        readAll((page) => {
          const query = { ...page, q: q || undefined };
          return of === ''
            ? admin.clients.listAll(query, { signal })
            : admin.clients.list(Number(of), query, { signal });
        }, readWhole),
      ]);
      const known = new Map(servers.items.map((server) => [server.id, server]));
      const named = clients.items.map((client) => client.resourceserver_id);
      for (const server of await lookUp(unknown(named, known), admin, signal)) known.set(server.id, server);
      return {
        resourceServers: servers.items,
        items: clients.items.flatMap((client) => {
          const resourceServer = known.get(client.resourceserver_id);
          return resourceServer === undefined ? [] : [{ client, resourceServer }];
        }),
        isComplete: clients.isComplete,
        total: clients.total,
      };
    },
    placeholderData: (before) => before,
  });
}

function unknown(ids: readonly number[], known: ReadonlyMap<number, ResourceServer>): number[] {
  return [...new Set(ids)].filter((id) => !known.has(id));
}

/** Resource servers after the first pages, or registered later. A deleted one is left out. */
async function lookUp(
  ids: readonly number[],
  admin: AdminClient,
  signal: AbortSignal,
): Promise<ResourceServer[]> {
  const found = await inBatches(ids, 6, async (id) => {
    try {
      return [(await admin.resourceServers.get(id, { signal })).record];
    } catch (error) {
      if (error instanceof AdminError && error.code === 'not_found') return [];
      throw error;
    }
  });
  return found.flat();
}
