import {
  type GrantEntry,
  type GrantScanPosition,
  type IsWantedGrant,
  isHomeOfOpenClients,
  isRevokedWithClient,
  listedAccess,
  OAuthError,
  type ResourceServer,
  type Scopes,
} from '@watchword/protocol';
import { type RegisteredRecords, serversOf } from '../callers/active-token.ts';
import type { Caller } from '../callers/caller.ts';
import { owns } from '../callers/ownership.ts';
import { changeRecords } from '../changes/change-records.ts';
import { readPage, searchFor } from '../lists/page.ts';
import { readSources } from '../lists/sources.ts';
import { grantEnd } from './end-grants.ts';
import type {
  GrantAdministration,
  GrantAdministrationDependencies,
  ListedGrant,
} from './grant-administration.ts';
import { endable, endablePart, endedPart, grantState, ofGrant, otherAccess, partOf } from './grant-record.ts';
import { type GrantFilter, grantSources } from './grant-sources.ts';

export function grantAdministration(deps: GrantAdministrationDependencies): GrantAdministration {
  const list = grantList(deps);
  const find = async (caller: Caller, id: string): Promise<ListedGrant> => {
    const found = await list.find(caller, id);
    if (found !== undefined) return found;
    throw new OAuthError('not_found', { description: 'There is no such grant.' });
  };
  return {
    list: list.list,
    find,
    end: async (caller, id) => {
      const grant = await find(caller, id);
      const part = endedPart(grant);
      const now = deps.clock.now();
      return changeRecords(caller, deps, async ({ grants }) => ({
        value:
          part === undefined
            ? await grants.end([endable(grant)], now)
            : await grants.endParts([endablePart(grant, part)], now),
        changes: [{ action: 'delete', ...ofGrant(grant), before: grantState(grant) }],
      }));
    },
    endAll: grantEnd(list.list, deps),
  };
}

/** Reads the grants that a caller can see. */
export function grantList(deps: GrantAdministrationDependencies): Pick<GrantAdministration, 'list'> & {
  find(caller: Caller, id: string): Promise<ListedGrant | undefined>;
} {
  const { registered, grantList, clock } = deps;
  return {
    async list(caller, filter, page) {
      const sources = await grantSources(caller, filter, deps, visibleMatches(caller, filter, deps));
      const isWanted = selector(filter);
      return readPage(page, {
        fetch: (after, limit) => readSources(sources, after, limit),
        positionOf: ({ source, row: { type, id, clientRecordId, identityProvider } }) => {
          const before: GrantScanPosition = { type, id, clientRecordId, identityProvider };
          return { source, before };
        },
        async pick({ row }) {
          if (row.type === 'skipped') return undefined;
          const grant = await listedGrant(row, caller, registered, filter.resourceServerId);
          return grant !== undefined && isWanted(grant) ? grant : undefined;
        },
      });
    },

    async find(caller, id) {
      for (const entry of await grantList.find(id, clock.now())) {
        const grant = await listedGrant(entry, caller, registered);
        if (grant !== undefined) return grant;
      }
      return undefined;
    },
  };
}

/** Decides by name and client alone, before anything else of a grant is read; `undefined` if that leaves nothing out. */
function visibleMatches(
  caller: Caller,
  { q, subject, resourceOwnerId }: GrantFilter,
  { registered }: Pick<GrantAdministrationDependencies, 'registered'>,
): IsWantedGrant | undefined {
  // A person has granted access to the clients of many record owners.
  const hasOthers = !caller.isAdministrator && (subject ?? resourceOwnerId) !== undefined;
  const { mayContain, matches } = searchFor(q);
  if (mayContain === undefined && !hasOthers) return undefined;
  return async ({ name, clientRecordId }) => {
    const client = await registered.clients.findById(clientRecordId);
    if (client === undefined || !matches(name, client.clientName, client.clientId)) return false;
    const others = client.otherResourceServers.map(({ resourceServerId }) => resourceServerId);
    const servers = await Promise.all(
      [client.resourceServerId, ...others].map((id) => registered.resourceServers.findById(id)),
    );
    // What the resource server of such a client is open for is known only with the grant.
    return servers.some((server) => server && (owns(caller, server) || isHomeOfOpenClients(server)));
  };
}

/** What a source that is chosen by another filter does not decide. */
function selector({
  subject,
  resourceOwnerId,
  clientId,
  resourceServerId,
  since = 0,
  usedSince,
}: GrantFilter): (grant: ListedGrant) => boolean {
  return ({ owner, client, resourceServer, others, creationDate, lastUsed }) =>
    creationDate >= since &&
    (usedSince === undefined || (lastUsed !== undefined && lastUsed >= usedSince)) &&
    (subject === undefined || subject === owner.subject) &&
    (resourceOwnerId === undefined || resourceOwnerId === owner.name) &&
    (clientId === undefined || clientId === client.clientId) &&
    (resourceServerId === undefined ||
      [resourceServer, ...others.map((other) => other.resourceServer)].some(
        ({ id }) => id === resourceServerId,
      ));
}

/**
 * A grant or a consent for the caller; `undefined` if it has ended, or if the caller cannot see it.
 *
 * @param wanted record id of a resource server: of a part nothing else is read
 */
async function listedGrant(
  entry: GrantEntry,
  caller: Caller,
  { clients, resourceServers }: RegisteredRecords,
  wanted?: number,
): Promise<ListedGrant | undefined> {
  const client = await clients.findById(entry.clientRecordId);
  const resourceServer = client && (await resourceServers.findById(client.resourceServerId));
  if (client === undefined || resourceServer === undefined) return undefined;
  const isOwn = (server: ResourceServer) =>
    owns(caller, server) && (wanted === undefined || wanted === server.id);
  const shown = (grant: ListedGrant): ListedGrant | undefined => {
    if (owns(caller, resourceServer)) return grant;
    const part = partOf(grant.others, isOwn);
    if (part === undefined) return undefined;
    // Its tokens, and when one was last issued, can be for others.
    return { ...grant, ...part, lastUsed: grant.lastUsed && grant.creationDate, accessTokens: 0 };
  };
  const { id, identityProvider, name, subject, creationDate } = entry;
  const owner = { identityProvider, name, subject };
  const granted = entry.type === 'grant' ? entry.scopes : [];
  const servers = await serversOf([...granted, ...entry.consentedScopes], resourceServer, {
    resourceServers,
  });
  const access = (scopes: Scopes) => listedAccess([scopes], client, resourceServer, servers);
  const consented = access(entry.consentedScopes);
  const consentedScopes = consented.scopes;
  const listed = { id, client, resourceServer, owner, consentedScopes, creationDate };
  if (entry.type === 'consent') {
    const { isLast, activeGrantDate = 0 } = entry;
    const givesAccess = consentedScopes.length + consented.others.length > 0;
    if (!givesAccess || !isLast || activeGrantDate > client.tokensValidFrom) return undefined;
    const others = otherAccess([], consented.others);
    const none = { scopes: [], lastUsed: undefined, hasRefreshToken: false, accessTokens: 0 };
    return shown({ ...listed, ...none, others });
  }
  if (!entry.isActive || isRevokedWithClient(client, entry)) return undefined;
  const { principal, lastUsed, hasRefreshToken, accessTokens } = entry;
  const { scopes, others } = access(entry.scopes);
  return shown({
    ...listed,
    owner: caller.isAdministrator ? { ...owner, principal } : owner,
    scopes,
    others: otherAccess(others, consented.others),
    lastUsed,
    hasRefreshToken: hasRefreshToken && client.useRefreshTokens,
    accessTokens,
  });
}
