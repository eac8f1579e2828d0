import type {
  Client,
  ResourceServer,
  ResourceServerScopes,
  ResourceServerStore,
  TransactionStores,
} from '@watchword/protocol';
import type { AuditedChange } from '../changes/audit.ts';
import { everyRecord } from '../lists/page.ts';
import { clientDifference, ofClient } from './client-record.ts';
import { openScopesFor } from './other-resource-servers.ts';

type Stores = Pick<TransactionStores, 'clients' | 'resourceServers'>;

/** A client that names a resource server in its `otherResourceServers`. */
export interface ClientOfOthers {
  readonly client: Client;
  readonly home: ResourceServer;
  readonly entry: ResourceServerScopes;
}

/** The clients of other resource servers that can use this one. */
async function* clientsOfOthers(
  resourceServerId: number,
  { clients, resourceServers }: Stores,
): AsyncGenerator<ClientOfOthers> {
  const list = (page: { after: number; limit: number }) =>
    clients.list({ otherResourceServerId: resourceServerId, ...page });
  for await (const client of everyRecord(list)) {
    const of = await asClientOfOthers(client, resourceServerId, { resourceServers });
    if (of !== undefined) yield of;
  }
}

/** `undefined` if the client does not name the resource server. */
export async function asClientOfOthers(
  client: Client,
  resourceServerId: number,
  { resourceServers }: { readonly resourceServers: Pick<ResourceServerStore, 'findById'> },
): Promise<ClientOfOthers | undefined> {
  const entry = client.otherResourceServers.find((each) => each.resourceServerId === resourceServerId);
  const home = entry && (await resourceServers.findById(client.resourceServerId));
  return entry && home && { client, home, entry };
}

/** Takes a resource server away from a client of another one. Returns the change, for the audit log. */
export function removeEntry(of: ClientOfOthers, stores: Stores): Promise<AuditedChange> {
  return changeClient(of, { otherResourceServers: replaced(of, undefined) ?? [] }, stores);
}

/** The scopes that are left; `undefined` if the client can no longer use the resource server. */
type Left = (of: ClientOfOthers) => readonly string[] | undefined;

/** Changes what clients of others can get at a resource server. Returns the changes, for the audit log. */
export async function changeClientsOfOthers(
  resourceServerId: number,
  stores: Stores,
  left: Left,
  changed: (of: ClientOfOthers) => Partial<Client> = () => ({}),
): Promise<AuditedChange[]> {
  const changes: AuditedChange[] = [];
  for await (const found of clientsOfOthers(resourceServerId, stores)) {
    const otherResourceServers = replaced(found, left(found));
    const change = { ...changed(found), ...(otherResourceServers && { otherResourceServers }) };
    if (Object.keys(change).length > 0) changes.push(await changeClient(found, change, stores));
  }
  return changes;
}

async function changeClient(
  { client, home }: Pick<ClientOfOthers, 'client' | 'home'>,
  change: Partial<Client>,
  { clients }: Stores,
): Promise<AuditedChange> {
  const after = (await clients.update(client.id, change)) ?? client;
  return { action: 'update', ...ofClient(client, home), ...clientDifference(client, after) };
}

/** The other resource servers of a client once it has other scopes at one; `undefined` if nothing changes. */
function replaced(
  { client, entry }: Pick<ClientOfOthers, 'client' | 'entry'>,
  scopes: readonly string[] | undefined,
): readonly ResourceServerScopes[] | undefined {
  if (scopes?.length === entry.scopes.length) return undefined;
  return client.otherResourceServers.flatMap((each) => {
    if (each !== entry) return [each];
    return scopes === undefined ? [] : [{ ...each, scopes }];
  });
}

/** What is left of the scopes of a client when the resource server has changed: it can have lost some, and be open to fewer clients. */
export function scopesAfter(
  { client, home, entry }: ClientOfOthers,
  before: ResourceServer,
  after: ResourceServer,
): readonly string[] | undefined {
  const scopes = entry.scopes.filter((scope) => after.scopes.includes(scope));
  if (isOfSameOwner(home, after)) return scopes;
  const opened = openScopesFor(before, client);
  const open = openScopesFor(after, client);
  // What an administrator gave it beside the open scopes stays.
  const kept = scopes.filter((scope) => !opened?.includes(scope) || open?.includes(scope));
  return kept.length === 0 && opened !== undefined && open === undefined ? undefined : kept;
}

/**
 * What clients lose when a resource server gets another owner: the scopes that they had because both resource servers belonged to one
 * owner, unless these are open to them.
 */
export async function followOwner(
  before: ResourceServer,
  after: ResourceServer,
  stores: Stores,
): Promise<AuditedChange[]> {
  const ofFormerOwner = await changeClientsOfOthers(after.id, stores, (of) =>
    isOfSameOwner(of.home, before) ? openOnly(of, after) : of.entry.scopes,
  );
  const changes: AuditedChange[] = [];
  for await (const client of everyRecord((page) =>
    stores.clients.list({ resourceServerId: after.id, ...page }),
  )) {
    let otherResourceServers = client.otherResourceServers;
    for (const entry of client.otherResourceServers) {
      const server = await stores.resourceServers.findById(entry.resourceServerId);
      if (server === undefined || !isOfSameOwner(server, before)) continue;
      const of = { client: { ...client, otherResourceServers }, entry };
      otherResourceServers = replaced(of, openOnly(of, server)) ?? otherResourceServers;
    }
    if (otherResourceServers !== client.otherResourceServers)
      changes.push(await changeClient({ client, home: after }, { otherResourceServers }, stores));
  }
  return [...ofFormerOwner, ...changes];
}

function openOnly(
  { client, entry }: Pick<ClientOfOthers, 'client' | 'entry'>,
  server: ResourceServer,
): readonly string[] | undefined {
  const open = openScopesFor(server, client);
  return open && entry.scopes.filter((scope) => open.includes(scope));
}

function isOfSameOwner(
  a: Pick<ResourceServer, 'owner' | 'ownerAuthority'>,
  b: Pick<ResourceServer, 'owner' | 'ownerAuthority'>,
): boolean {
  return a.owner === b.owner && a.ownerAuthority === b.ownerAuthority;
}
