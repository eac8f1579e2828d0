import { useQuery } from '@tanstack/react-query';
import type { StatisticsPage } from '@watchword/admin-client';
import { useEnvironment } from '../environment.ts';

/**
 * The server counts tokens and people for each client that it is asked for. So many are asked for, by so many
 * pages at most: those of busy clients are short.
 */
const counted = { clients: 300, limit: 100, pages: 10 } as const;

/** The server's own resource server may stand before the first one of a user. */
const first = 2;

/** Numbers of the first clients, or of all of them; `next` is there when there are more. */
export function useStatistics(hours: number, isWhole: boolean) {
  const { admin } = useEnvironment();
  return useQuery({
    queryKey: ['statistics', hours, isWhole],
    queryFn: async ({ signal }): Promise<StatisticsPage> => {
      const begun = await admin.statistics({ hours, limit: counted.limit }, { signal });
      const clients = [...begun.clients];
      let { next } = begun;
      for (let pages = 1; next !== undefined; pages += 1) {
        if (!isWhole && (pages >= counted.pages || clients.length >= counted.clients)) break;
        const more = await admin.statistics({ hours, limit: counted.limit, cursor: next }, { signal });
        clients.push(...more.clients);
        next = more.next;
      }
      return { ...begun, clients, next };
    },
    placeholderData: (before) => before,
    refetchInterval: isWhole ? false : 60_000,
  });
}

/** The first resource servers, and how many there are of them and of clients. */
export function useFirstRecords() {
  const { admin } = useEnvironment();
  return useQuery({
    queryKey: ['resourceServers', 'first'],
    queryFn: async ({ signal }) => {
      const [servers, clients] = await Promise.all([
        admin.resourceServers.list({ limit: first }, { signal }),
        admin.clients.listAll({ limit: 1 }, { signal }),
      ]);
      return {
        resourceServers: servers.items,
        totals: { resourceServers: servers.total ?? 0, clients: clients.total ?? 0 },
      };
    },
  });
}
