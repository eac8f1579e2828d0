import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AdminClient, type ClientAddress, readAll, type StatisticsPage } from '@watchword/admin-client';
import { useCallback } from 'react';
import { useEnvironment } from '../environment.ts';

/** So many records are read whole, and then searched, sorted and paged here; beyond, the search asks the server. */
export const readWhole = 2000;

/**
 * The server counts tokens and people anew for each client that it is asked for. So many are asked for, by so many
 * pages at most: those of busy clients are short.
 */
const counted = { clients: 300, limit: 100, pages: 10 } as const;

export function useResourceServers(q = '') {
  const { admin } = useEnvironment();
  return useQuery({ ...resourceServersQuery(admin, q), placeholderData: (before) => before });
}

export function resourceServersQuery(admin: AdminClient, q: string) {
  return queryOptions({
    queryKey: ['resourceServers', q],
    queryFn: ({ signal }) =>
      readAll((page) => admin.resourceServers.list({ ...page, q: q || undefined }, { signal }), readWhole),
  });
}

export function useResourceServer(id: number) {
  const { admin } = useEnvironment();
  return useQuery({
    queryKey: ['resourceServer', id],
    queryFn: ({ signal }) => admin.resourceServers.get(id, { signal }),
  });
}

/** Clients of one resource server. */
export function useClientsOf(resourceServerId: number, q = '') {
  const { admin } = useEnvironment();
  return useQuery({
    queryKey: ['clients', resourceServerId, q],
    queryFn: ({ signal }) =>
      readAll(
        (page) => admin.clients.list(resourceServerId, { ...page, q: q || undefined }, { signal }),
        readWhole,
      ),
    placeholderData: (before, query) => (query?.queryKey[1] === resourceServerId ? before : undefined),
  });
}

export function useClient({ resourceServerId, id }: ClientAddress) {
  const { admin } = useEnvironment();
  return useQuery({
    queryKey: ['client', resourceServerId, id],
    queryFn: ({ signal }) => admin.clients.get({ resourceServerId, id }, { signal }),
  });
}

/** Numbers, of the first clients; `next` tells that there are more. */
export function useStatistics(hours: number) {
  const { admin } = useEnvironment();
  return useQuery({
    queryKey: ['statistics', hours],
    queryFn: async ({ signal }): Promise<StatisticsPage> => {
      const first = await admin.statistics({ hours, limit: counted.limit }, { signal });
      const clients = [...first.clients];
      let { next } = first;
      for (let pages = 1; pages < counted.pages; pages += 1) {
        if (next === undefined || clients.length >= counted.clients) break;
        const more = await admin.statistics({ hours, limit: counted.limit, cursor: next }, { signal });
        clients.push(...more.clients);
        next = more.next;
      }
      return { ...first, clients, next };
    },
    placeholderData: (before) => before,
    refetchInterval: 60_000,
  });
}

/** Reads anew what is shown, after a change. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(
    () => queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => name !== 'principal' }),
    [queries],
  );
}
