import { hasEndedWithSession, isExpired } from '@watchword/protocol';
import { activeToken, isOwnToken } from '../callers/active-token.ts';
import { readPage, searchFor } from '../lists/page.ts';
import { readSources } from '../lists/sources.ts';
import { tokenOwner } from '../records.ts';
import type {
  AccessTokenAdministration,
  AccessTokenAdministrationDependencies,
} from './access-token-administration.ts';
import { readableSources, scanPosition, tokenSources } from './token-sources.ts';

/** Lists the access tokens that a caller can see. */
export function accessTokenList(
  deps: AccessTokenAdministrationDependencies,
): AccessTokenAdministration['list'] {
  const { accessTokens, registered, clock } = deps;
  return async (caller, filter, page) => {
    const { expired, clientId, resourceOwnerId } = filter;
    const scans = await tokenSources(caller, filter, deps);
    const { mayContain, matches } = searchFor(filter.q);
    const sources = readableSources(scans, accessTokens, mayContain);
    const now = clock.now();
    return readPage(page, {
      fetch: (after, limit) => readSources(sources, after, limit),
      positionOf: ({ source, row }) => ({ source, before: scanPosition(row) }),
      async pick({ row: found }) {
        const token = await activeToken(found, registered);
        if (token === undefined || !isOwnToken(caller, token)) return undefined;
        const { client } = token;
        const { name } = tokenOwner(token);
        const isWanted =
          (expired === undefined || expired === isExpired(found, now)) &&
          (clientId === undefined || clientId === client.clientId) &&
          (resourceOwnerId === undefined || resourceOwnerId === name) &&
          matches(client.clientName, client.clientId, name);
        if (!isWanted) return undefined;
        return !isExpired(found, now) && (await hasEndedWithSession(token, deps)) ? undefined : token;
      },
    });
  };
}
