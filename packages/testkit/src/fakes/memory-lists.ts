import type { Client, ClientStore, Identity, ResourceServer } from '@watchword/protocol';

export function memoryClientList({
  clients,
  servers,
}: {
  readonly clients: ReadonlyMap<number, Client>;
  readonly servers: ReadonlyMap<number, ResourceServer>;
}): ClientStore['list'] {
  return async ({ resourceServerId, owner, ...page }) =>
    pageOf(
      [...clients.values()]
        .filter((client) => resourceServerId === undefined || client.resourceServerId === resourceServerId)
        .filter((client) => owner === undefined || isOwnedBy(owner, servers.get(client.resourceServerId))),
      page,
    );
}

export function isOwnedBy({ name, authority }: Identity, server: ResourceServer | undefined): boolean {
  return server?.owner === name && server.ownerAuthority === authority;
}

export function pageOf<Row extends { readonly id: number }>(
  rows: readonly Row[],
  { after = 0, limit }: { readonly after?: number; readonly limit: number },
): Row[] {
  return rows
    .filter(({ id }) => id > after)
    .toSorted((a, b) => a.id - b.id)
    .slice(0, limit);
}
