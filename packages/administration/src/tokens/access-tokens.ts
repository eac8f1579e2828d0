import {
  hasEndedWithSession,
  isExpired,
  namesOf,
  OAuthError,
  Violations,
  withNames,
} from '@watchword/protocol';
import { type ActiveToken, activeToken, seenBy, tokenOwner } from '../callers/active-token.ts';
import { difference } from '../changes/audit.ts';
import { changeRecords } from '../changes/change-records.ts';
import { checkCondition } from '../changes/edit.ts';
import { readPage, searchFor } from '../lists/page.ts';
import { readSources } from '../lists/sources.ts';
import type {
  AccessTokenAdministration,
  AccessTokenAdministrationDependencies,
} from './access-token-administration.ts';
import { accessTokenIssue } from './issue-access-token.ts';
import { isJwtAddress, jwtAdministration } from './jwts.ts';
import { accessTokenTag, deletedToken, endToken, ownToken } from './own-token.ts';
import { revokeIssued } from './revoke-issued.ts';
import { ofToken, tokenState } from './token-record.ts';
import { checkExpiry, checkTokenScopes, latestExpiry } from './token-rules.ts';
import { readableSources, scanPosition, tokenSources } from './token-sources.ts';

export function accessTokenAdministration(
  deps: AccessTokenAdministrationDependencies,
): AccessTokenAdministration {
  const { accessTokens, accessTokenFormats } = deps;
  const jwts = jwtAdministration(deps);
  const inItsSession = async (token: ActiveToken): Promise<ActiveToken> => {
    if (await hasEndedWithSession(token, deps)) throw new OAuthError('token_not_found');
    return token;
  };

  return {
    list: accessTokenList(deps),
    create: accessTokenIssue(deps),

    revokeIssued: revokeIssued(deps),

    async find(caller, id) {
      if (isJwtAddress(id)) return jwts.find(caller, id);
      return inItsSession(await ownToken(caller, await accessTokens.find(id), deps));
    },

    async lookUp(caller, value) {
      const token = (await accessTokenFormats.find(value))?.token;
      if (token?.format === 'jwt') return jwts.own(caller, token);
      return inItsSession(await ownToken(caller, token, deps));
    },

    async update(caller, id, { apply, malformed, condition }) {
      if (isJwtAddress(id)) {
        await jwts.find(caller, id);
        throw signedToken();
      }
      return changeRecords(caller, deps, async (stores) => {
        const before = await ownToken(caller, await stores.issuedTokens.find(id), stores);
        if (before.part !== undefined) throw tokenOfAnother();
        checkCondition(condition, accessTokenTag(before));
        const current = { scopes: namesOf(before.scopes), expires: before.expires };
        const fields = { ...current, ...apply(current) };
        const names = [...new Set(fields.scopes)];
        const violations = new Violations(malformed);
        checkTokenScopes(names, current.scopes, 'the token', violations);
        if (fields.expires !== before.expires) {
          const { creationDate, client, resourceServer } = before;
          const latest = latestExpiry(creationDate, client, resourceServer, caller);
          checkExpiry(fields.expires, latest, violations);
        }
        violations.throwIfAny();
        const change = { scopes: withNames(before.scopes, names), expires: fields.expires };
        if (!(await stores.issuedTokens.update(id, change))) throw new OAuthError('token_not_found');
        const after = { ...before, ...change };
        const changed = difference(tokenState(before), tokenState(after));
        return { value: after, changes: [{ action: 'update', ...ofToken(before), ...changed }] };
      });
    },

    revoke(caller, id, condition) {
      if (isJwtAddress(id)) return jwts.revoke(caller, id, condition);
      return changeRecords(caller, deps, async (stores) => {
        const found = await stores.issuedTokens.find(id);
        const before = await ownToken(caller, found, stores);
        checkCondition(condition, accessTokenTag(before));
        return deletedToken(before, await endToken(found, before.part, stores));
      });
    },
  };
}

function signedToken(): OAuthError {
  return new OAuthError('conflict', {
    description:
      'The access token is a JWT, whose scopes and expiry are signed and cannot be changed. Revoke it, and let the client get another one.',
  });
}

function tokenOfAnother(): OAuthError {
  return new OAuthError('conflict', {
    description:
      'The client of the access token belongs to another owner. You can end what the token gives at your resource servers: revoke it.',
  });
}

/** Lists the access tokens that a caller can see. */
function accessTokenList(deps: AccessTokenAdministrationDependencies): AccessTokenAdministration['list'] {
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
        const valid = await activeToken(found, registered);
        const token = valid && seenBy(caller, valid);
        if (token === undefined) return undefined;
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
