import { useQuery } from '@tanstack/react-query';
import { readAll } from '@watchword/admin-client';
import { useEnvironment } from '../environment.ts';
import { readWhole } from './queries.ts';

/** So many records are offered at a time; a search finds the others. */
const offered = 20;

/** Clients to choose from, searched by the server. */
export function useClientChoice(q: string) {
  const { admin } = useEnvironment();
  return useQuery({
    queryKey: ['clients', 'choice', q],
    queryFn: ({ signal }) =>
      readAll((page) => admin.clients.listAll({ ...page, q: q || undefined }, { signal }), offered),
    placeholderData: (before) => before,
  });
}

/** Resource servers to choose from, searched by the server. */
export function useResourceServerChoice(q: string) {
  const { admin } = useEnvironment();
  return useQuery({
    queryKey: ['resourceServers', 'choice', q],
    queryFn: ({ signal }) =>
      readAll((page) => admin.resourceServers.list({ ...page, q: q || undefined }, { signal }), offered),
    placeholderData: (before) => before,
  });
}

/** Resource servers of other owners that are open to the clients of the user, searched by the server. */
export function useOpenResourceServers(q: string) {
  const { admin } = useEnvironment();
  return useQuery({
    queryKey: ['resourceServers', 'open', q],
    queryFn: ({ signal }) =>
      readAll(
        (page) => admin.resourceServers.listOpen({ ...page, q: q || undefined }, { signal }),
        readWhole,
      ),
    placeholderData: (before) => before,
  });
}
