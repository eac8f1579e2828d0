import {
  type Client,
  type GrantedAccessToken,
  latestNow,
  type ResourceServer,
  type TransactionStores,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { owns } from '../callers/ownership.ts';
import { type Changed, changeInParts } from '../changes/change-records.ts';
import { ofClient } from '../clients/client-record.ts';
import { eachBatch, namedRecord, nothingNamed } from '../grants/end-grants.ts';
import type { ListedGrant } from '../grants/grant-administration.ts';
import { endedPart } from '../grants/grant-record.ts';
import { ownTargets } from '../grants/grant-sources.ts';
import { grantList } from '../grants/grants.ts';
import { everyRecord } from '../lists/page.ts';
import { ofResourceServer } from '../resource-servers/resource-server-record.ts';
import type {
  AccessTokenAdministrationDependencies,
  IssuedSelection,
  RevokedIssue,
} from './access-token-administration.ts';
import { endToken } from './own-token.ts';

// Rows of one transaction: other writers wait for its end.
const batchSize = 500;

/**
 * Revokes what was issued at a time or later. Of a grant nothing is left valid, because its refresh token can have been issued then too,
 * and a JWT is only known by its grant. Tokens that are issued in the meantime are not revoked.
 */
export function revokeIssued(deps: AccessTokenAdministrationDependencies) {
  const { list } = grantList(deps);
  return async (caller: Caller, selection: IssuedSelection): Promise<RevokedIssue> => {
    const { subject, clientId, resourceServerId, since } = selection;
    const named = { subject, clientId, resourceServerId };
    if (Object.values(named).every((value) => value === undefined)) throw nothingNamed();
    const change = changeInParts(caller, deps);
    let grants = 0;
    await eachBatch(list, caller, { ...named, usedSince: since }, async (items) => {
      grants += await change((stores) => revokeGrants(items, selection, stores, deps.clock.now()));
    });
    let accessTokens = 0;
    const clients: string[] = [];
    const remaining: string[] = [];
    // Clients that act for themselves have no subject among those of users.
    const selected = subject === undefined ? selectedClients(caller, selection, deps) : [];
    for await (const acting of selected) {
      const { client, resourceServer, at } = acting;
      for await (const tokens of ownTokens(acting, since, deps)) {
        accessTokens += await change((stores) => revokeTokens(tokens, acting, since, stores));
      }
      if (resourceServer.accessTokenFormat !== 'jwt' || !client.allowedClientCredentials) continue;
      if (at !== undefined || actsForUsers(client)) remaining.push(client.clientId);
      else {
        await change((stores) => revokeAll(client, resourceServer, stores, latestNow(deps.clock)));
        clients.push(client.clientId);
      }
    }
    return { grants, accessTokens, clients, remaining };
  };
}

async function revokeGrants(
  items: readonly ListedGrant[],
  selection: IssuedSelection,
  { grants }: TransactionStores,
  now: number,
): Promise<Changed<number>> {
  // The tokens of a grant for clients of others are for their resource servers too.
  const ids = items.filter((item) => endedPart(item, selection) === undefined).map(({ id }) => id);
  const value = await grants.revoke(ids, now);
  const [first] = items;
  if (first === undefined || value === 0) return { value, changes: [] };
  const { clientId, since } = selection;
  const before = { grants: value, ...(clientId !== undefined && { clientId }), issuedSince: since };
  return { value, changes: [{ action: 'revokeGrants', ...namedRecord(first, selection), before }] };
}

async function revokeTokens(
  tokens: readonly GrantedAccessToken[],
  { client, resourceServer, at }: ActingClient,
  since: number,
  stores: TransactionStores,
): Promise<Changed<number>> {
  let value = 0;
  for (const { id } of tokens) {
    if (await endToken(await stores.issuedTokens.find(id), at, stores)) value += 1;
  }
  const before = { accessTokens: value, issuedSince: since };
  const record = at === undefined ? ofClient(client, resourceServer) : ofResourceServer(resourceServer);
  const of = at === undefined ? before : { ...before, clientId: client.clientId };
  const change = { action: 'revokeTokens', ...record, before: of } as const;
  return { value, changes: value > 0 ? [change] : [] };
}

async function revokeAll(
  client: Client,
  resourceServer: ResourceServer,
  { clients }: TransactionStores,
  until: number,
): Promise<Changed<void>> {
  await clients.revokeTokens(client.id, until);
  return { value: undefined, changes: [{ action: 'revokeTokens', ...ofClient(client, resourceServer) }] };
}

/** A client without a redirect URI gets no token of a user. */
function actsForUsers({ redirectUris }: Client): boolean {
  return redirectUris.length > 0;
}

interface ActingClient {
  readonly client: Client;
  /** Its own, or the one at which its tokens end. */
  readonly resourceServer: ResourceServer;
  /** Only there: the client belongs to another resource server. */
  readonly at?: readonly number[];
}

type Records = Pick<AccessTokenAdministrationDependencies, 'clients' | 'resourceServers'>;

/** The clients that the caller can see and means. */
async function* selectedClients(
  caller: Caller,
  { clientId, resourceServerId }: IssuedSelection,
  { clients, resourceServers }: Records,
): AsyncGenerator<ActingClient> {
  const named = clientId === undefined ? undefined : await clients.find(clientId);
  if (clientId !== undefined && named === undefined) return;
  const home = named && (await resourceServers.findById(named.resourceServerId));
  if (resourceServerId === undefined && named !== undefined && home !== undefined && !owns(caller, home)) {
    for (const id of await ownTargets(caller, named, { resourceServers })) {
      const resourceServer = await resourceServers.findById(id);
      if (resourceServer !== undefined) yield { client: named, resourceServer, at: [id] };
    }
    return;
  }
  const meant = resourceServerId ?? named?.resourceServerId;
  const resourceServer = meant === undefined ? undefined : await resourceServers.findById(meant);
  if (resourceServer === undefined || !owns(caller, resourceServer)) return;
  const found = named === undefined ? clientsAt(resourceServer.id, { clients }) : [named];
  for await (const client of found) {
    const { id } = resourceServer;
    if (client.resourceServerId === id) yield { client, resourceServer };
    else if (client.otherResourceServers.some(({ resourceServerId: other }) => other === id))
      yield { client, resourceServer, at: [id] };
  }
}

/** Those of the resource server, and those of others that can use it. One without a resource server of its own never acts for itself. */
async function* clientsAt(id: number, { clients }: Pick<Records, 'clients'>): AsyncGenerator<Client> {
  for (const filter of [{ resourceServerId: id }, { otherResourceServerId: id }])
    yield* everyRecord((page) => clients.list({ ...filter, ...page }));
}

/** The stored tokens without a grant, in batches. The newest come first, so older ones are not read. */
async function* ownTokens(
  { client: { id: clientRecordId }, at }: ActingClient,
  since: number,
  { accessTokens }: Pick<AccessTokenAdministrationDependencies, 'accessTokens'>,
): AsyncGenerator<readonly GrantedAccessToken[]> {
  const scan = { of: 'client', clientRecordId, acting: { at }, limit: batchSize } as const;
  for (let before: { readonly id: string } | undefined; ; ) {
    const page = await accessTokens.scan({ ...scan, before });
    const issued = page.filter(({ creationDate }) => creationDate >= since);
    if (issued.length > 0) yield issued;
    before = page.at(-1);
    if (issued.length < page.length || page.length < batchSize) return;
  }
}
