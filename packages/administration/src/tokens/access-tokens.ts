import { hasEndedWithSession, OAuthError, Violations } from '@watchword/protocol';
import type { ActiveToken } from '../callers/active-token.ts';
import { difference } from '../changes/audit.ts';
import { changeRecords } from '../changes/change-records.ts';
import { checkCondition } from '../changes/edit.ts';
import type {
  AccessTokenAdministration,
  AccessTokenAdministrationDependencies,
} from './access-token-administration.ts';
import { accessTokenList } from './access-token-list.ts';
import { ofToken, tokenState } from './audited-token.ts';
import { accessTokenIssue } from './issue-access-token.ts';
import { isJwtAddress } from './jwt-address.ts';
import { jwtAdministration } from './jwts.ts';
import { accessTokenTag, deletedToken, ownToken } from './own-token.ts';
import { revokeIssued } from './revoke-issued.ts';
import { checkExpiry, checkTokenScopes, latestExpiry } from './token-rules.ts';

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
        checkCondition(condition, accessTokenTag(before));
        const current = { scopes: before.scopes, expires: before.expires };
        const fields = { ...current, ...apply(current) };
        const scopes = [...new Set(fields.scopes)];
        const violations = new Violations(malformed);
        checkTokenScopes(scopes, before.scopes, 'the token', violations);
        if (fields.expires !== before.expires) {
          const { creationDate, client, resourceServer } = before;
          const latest = latestExpiry(creationDate, client, resourceServer, caller);
          checkExpiry(fields.expires, latest, violations);
        }
        violations.throwIfAny();
        const change = { scopes, expires: fields.expires };
        if (!(await stores.issuedTokens.update(id, change))) throw new OAuthError('token_not_found');
        const after = { ...before, ...change };
        const changed = difference(tokenState(before), tokenState(after));
        return { value: after, changes: [{ action: 'update', ...ofToken(before), ...changed }] };
      });
    },

    revoke(caller, id, condition) {
      if (isJwtAddress(id)) return jwts.revoke(caller, id, condition);
      return changeRecords(caller, deps, async (stores) => {
        const before = await ownToken(caller, await stores.issuedTokens.find(id), stores);
        checkCondition(condition, accessTokenTag(before));
        return deletedToken(before, await stores.issuedTokens.revoke(id));
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
