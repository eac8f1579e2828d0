import {
  type GrantEntry,
  type GrantScanPosition,
  type IsWantedGrant,
  isRevokedWithClient,
  listedAccess,
  OAuthError,
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
import { endable, grantState, ofGrant, otherAccess } from './grant-record.ts';
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
      return changeRecords(caller, deps, async ({ grants }) => ({
        value: await grants.end([endable(grant)], deps.clock.now()),
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
          const grant = await listedGrant(row, caller, registered);
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
    const resourceServer = await registered.resourceServers.findById(client.resourceServerId);
    return resourceServer !== undefined && owns(caller, resourceServer);
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
  return ({ owner, client, resourceServer, creationDate, lastUsed }) =>
    creationDate >= since &&
    (usedSince === undefined || (lastUsed !== undefined && lastUsed >= usedSince)) &&
    (subject === undefined || subject === owner.subject) &&
    (resourceOwnerId === undefined || resourceOwnerId === owner.name) &&
    (clientId === undefined || clientId === client.clientId) &&
    (resourceServerId === undefined || resourceServerId === resourceServer.id);
}

/** A grant or a consent for the caller; `undefined` if it has ended, or if the caller cannot see it. */
async function listedGrant(
  entry: GrantEntry,
  caller: Caller,
  { clients, resourceServers }: RegisteredRecords,
): Promise<ListedGrant | undefined> {
  const client = await clients.findById(entry.clientRecordId);
  const resourceServer = client && (await resourceServers.findById(client.resourceServerId));
  if (client === undefined || resourceServer === undefined || !owns(caller, resourceServer)) return undefined;
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
    return { ...listed, scopes: [], others, lastUsed: undefined, hasRefreshToken: false, accessTokens: 0 };
  }
  if (!entry.isActive || isRevokedWithClient(client, entry)) return undefined;
  const { principal, lastUsed, hasRefreshToken, accessTokens } = entry;
  const { scopes, others } = access(entry.scopes);
  return {
    ...listed,
    owner: caller.isAdministrator ? { ...owner, principal } : owner,
    scopes,
    others: otherAccess(others, consented.others),
    lastUsed,
    hasRefreshToken: hasRefreshToken && client.useRefreshTokens,
    accessTokens,
  };
}
