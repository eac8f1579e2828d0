import { type QueryFilters, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AdminClient, type ClientAddress, readAll } from '@watchword/admin-client';
import { useCallback } from 'react';
import { useEnvironment } from '../environment.ts';
import { shownResourceServer } from '../rules/typed-resource-server.ts';

/** So many records are read whole, and then searched, sorted and paged here; beyond, the search asks the server. */
export const readWhole = 2000;

/** Who is signed in. */
export function principalQuery(admin: AdminClient) {
  return queryOptions({
    queryKey: ['principal'],
    queryFn: ({ signal }) => admin.principal({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Who may register records. */
export function registrationQuery(admin: AdminClient) {
  return queryOptions({
    queryKey: ['registration'],
    queryFn: ({ signal }) => admin.registration({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What the server runs with. */
export function settingsQuery(admin: AdminClient) {
  return queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => readAll((page) => admin.settings.list(page, { signal }), readWhole),
  });
}

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

/** @param id 0: of none */
export function useResourceServer(id: number) {
  const { admin } = useEnvironment();
  return useQuery({ ...resourceServerQuery(admin, id), enabled: id > 0 });
}

export function resourceServerQuery(admin: AdminClient, id: number) {
  return queryOptions({
    queryKey: ['resourceServer', id],
    queryFn: async ({ signal }) => {
      const { record, version } = await admin.resourceServers.getDescribed(id, { signal });
      return { record: shownResourceServer(record), version };
    },
  });
}

/** Clients of one resource server. */
export function useClientsOf(resourceServerId: number, q = '') {
  const { admin } = useEnvironment();
  return useQuery({
    queryKey: ['clients', resourceServerId, q],
    queryFn: ({ signal }) =>
      readAll(
        (page) =>
          admin.clients.list(resourceServerId, { ...page, q: q || undefined, lastIssued: true }, { signal }),
        readWhole,
      ),
    placeholderData: (before, query) => (query?.queryKey[1] === resourceServerId ? before : undefined),
  });
}

export function useClient(address: ClientAddress) {
  const { admin } = useEnvironment();
  return useQuery(clientQuery(admin, address));
}

export function clientQuery(admin: AdminClient, { resourceServerId, id }: ClientAddress) {
  return queryOptions({
    queryKey: ['client', resourceServerId, id],
    queryFn: ({ signal }) => admin.clients.get({ resourceServerId, id }, { signal }),
  });
}

/** Reads again what is shown, after a change. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(async () => {
    const ofRecords: QueryFilters = { predicate: ({ queryKey: [name] }) => name !== 'principal' };
    await nextPage();
    // A list whose first answer is on its way would show the state before the change, because only later reads are repeated.
    await queries.cancelQueries(ofRecords);
    await queries.invalidateQueries(ofRecords);
  }, [queries]);
}

// Milliseconds. A window in the background is not painted.
const longestFrame = 100;

/** After the page that was left lets go of its queries, which Preact does once the next one is painted: a deleted record is not read again. */
async function nextPage(): Promise<void> {
  // The next page is rendered by a microtask that was queued before.
  await Promise.resolve();
  await new Promise<void>((resolve) => {
    setTimeout(resolve, longestFrame);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}
