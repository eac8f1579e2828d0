import { type GrantEntry, isRevokedWithClient, remainingScopesOf } from '@watchword/protocol';
import type { RegisteredRecords } from '../callers/active-token.ts';
import type { Caller } from '../callers/caller.ts';
import { owns } from '../callers/ownership.ts';
import type { ListedGrant } from './grant-administration.ts';

/** A grant or a consent for the caller; `undefined` if it has ended, or if the caller cannot see it. */
export async function listedGrant(
  entry: GrantEntry,
  caller: Caller,
  { clients, resourceServers }: RegisteredRecords,
): Promise<ListedGrant | undefined> {
  const client = await clients.findById(entry.clientRecordId);
  const resourceServer = client && (await resourceServers.findById(client.resourceServerId));
  if (client === undefined || resourceServer === undefined || !owns(caller, resourceServer)) return undefined;
  const { id, identityProvider, name, subject, creationDate } = entry;
  const owner = { identityProvider, name, subject };
  const consentedScopes = remainingScopesOf(entry.consentedScopes, client, resourceServer);
  const listed = { id, client, resourceServer, owner, consentedScopes, creationDate };
  if (entry.type === 'consent') {
    const { isLast, activeGrantDate = 0 } = entry;
    const givesAccess = consentedScopes.length > 0;
    if (!givesAccess || !isLast || activeGrantDate > client.tokensValidFrom) return undefined;
    return { ...listed, scopes: [], lastUsed: undefined, hasRefreshToken: false, accessTokens: 0 };
  }
  if (!entry.isActive || isRevokedWithClient(client, entry)) return undefined;
  const { principal, scopes, lastUsed, hasRefreshToken, accessTokens } = entry;
  return {
    ...listed,
    owner: caller.isAdministrator ? { ...owner, principal } : owner,
    scopes: remainingScopesOf(scopes, client, resourceServer),
    lastUsed,
    hasRefreshToken: hasRefreshToken && client.useRefreshTokens,
    accessTokens,
  };
}
