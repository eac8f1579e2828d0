import { type Client, latestNow, type ResourceServer, type TransactionStores } from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { owns } from '../callers/ownership.ts';
import { type Changed, changeInParts } from '../changes/change-records.ts';
import { ofClient } from '../clients/client-record.ts';
import { eachBatch, namedRecord, nothingNamed } from '../grants/end-grants.ts';
import type { ListedGrant } from '../grants/grant-administration.ts';
import { endedPart } from '../grants/grant-record.ts';
import { grantList } from '../grants/grants.ts';
import { everyRecord } from '../lists/page.ts';
import type {
  AccessTokenAdministrationDependencies,
  IssuedSelection,
  RevokedIssue,
} from './access-token-administration.ts';

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
    for await (const { client, resourceServer } of selected) {
      for await (const ids of ownTokens(client, since, deps)) {
        accessTokens += await change((stores) => revokeTokens(ids, client, resourceServer, since, stores));
      }
      if (resourceServer.accessTokenFormat !== 'jwt' || !client.allowedClientCredentials) continue;
      if (actsForUsers(client)) remaining.push(client.clientId);
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
  ids: readonly string[],
  client: Client,
  resourceServer: ResourceServer,
  since: number,
  { issuedTokens }: TransactionStores,
): Promise<Changed<number>> {
  let value = 0;
  for (const id of ids) if (await issuedTokens.revoke(id)) value += 1;
  const before = { accessTokens: value, issuedSince: since };
  const change = { action: 'revokeTokens', ...ofClient(client, resourceServer), before } as const;
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

/** The clients that the caller can see and means. */
async function* selectedClients(
  caller: Caller,
  { clientId, resourceServerId }: IssuedSelection,
  { clients, resourceServers }: Pick<AccessTokenAdministrationDependencies, 'clients' | 'resourceServers'>,
): AsyncGenerator<{ readonly client: Client; readonly resourceServer: ResourceServer }> {
  const named = clientId === undefined ? undefined : await clients.find(clientId);
  const serverId = resourceServerId ?? named?.resourceServerId;
  const resourceServer = serverId === undefined ? undefined : await resourceServers.findById(serverId);
  if (resourceServer === undefined || !owns(caller, resourceServer)) return;
  if (clientId !== undefined) {
    if (named?.resourceServerId === resourceServer.id) yield { client: named, resourceServer };
    return;
  }
  const { id } = resourceServer;
  for await (const client of everyRecord((page) => clients.list({ resourceServerId: id, ...page }))) {
    yield { client, resourceServer };
  }
}

/** The ids of the stored tokens without a grant, in batches. The newest come first, so older ones are not read. */
async function* ownTokens(
  { id: clientRecordId }: Client,
  since: number,
  { accessTokens }: Pick<AccessTokenAdministrationDependencies, 'accessTokens'>,
): AsyncGenerator<readonly string[]> {
  for (let before: { readonly id: string } | undefined; ; ) {
    const page = await accessTokens.scan({ of: 'client', clientRecordId, limit: batchSize, before });
    const issued = page.filter(({ creationDate }) => creationDate >= since);
    const own = issued.filter(({ grantId }) => grantId === undefined);
    if (own.length > 0) yield own.map(({ id }) => id);
    before = page.at(-1);
    if (issued.length < page.length || page.length < batchSize) return;
  }
}
