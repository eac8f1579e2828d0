import { timingSafeEqual } from 'node:crypto';
import type { AccessToken } from '../model/access-token.ts';
import { OAuthError } from '../model/errors.ts';
import type { AccessTokenStore } from '../ports/access-token-store.ts';
import { Violations } from '../rules/registration.ts';
import { sha256 } from '../rules/sha256.ts';
import { readAccessToken } from '../tokens/formats/formats.ts';
import type {
  AccessTokenAdministration,
  AccessTokenAdministrationDependencies,
  AccessTokenFields,
} from './access-token-administration.ts';
import { accessTokenList } from './access-token-list.ts';
import { type ActiveToken, activeToken, isOwnToken, type RegisteredRecords } from './active-token.ts';
import { difference } from './audit.ts';
import { ofToken, tokenState } from './audited-token.ts';
import type { Caller } from './caller.ts';
import { changeRecords } from './change-records.ts';
import { checkCondition } from './edit.ts';
import { accessTokenIssue } from './issue-access-token.ts';
import { checkExpiry, checkTokenScopes, latestExpiry } from './token-rules.ts';

/** Names the state of a token. */
export function accessTokenTag({ scopes, expires }: AccessTokenFields): string {
  return sha256(JSON.stringify([scopes, expires])).toString('base64url', 0, 12);
}

export function accessTokenAdministration(
  deps: AccessTokenAdministrationDependencies,
): AccessTokenAdministration {
  const { accessTokens } = deps;

  const own = async (
    caller: Caller,
    id: string,
    stores: RegisteredRecords & { readonly issuedTokens: Pick<AccessTokenStore, 'find'> },
    isMeant: (token: AccessToken) => boolean = () => true,
  ): Promise<ActiveToken> => {
    const found = await stores.issuedTokens.find(id);
    const token = found && isMeant(found) ? await activeToken(found, stores) : undefined;
    if (token !== undefined && isOwnToken(caller, token)) return token;
    throw new OAuthError('token_not_found');
  };
  const read = { ...deps, issuedTokens: accessTokens };

  return {
    list: accessTokenList(deps),
    create: accessTokenIssue(deps),

    find: (caller, id) => own(caller, id, read),

    lookUp: async (caller, value) => {
      const presented = readAccessToken(value);
      if (presented === undefined) throw new OAuthError('token_not_found');
      const { id, verifierHash } = presented;
      return own(caller, id, read, (token) => timingSafeEqual(token.verifierHash, verifierHash));
    },

    async update(caller, id, { apply, malformed, condition }) {
      return changeRecords(caller, deps, async (stores) => {
        const before = await own(caller, id, stores);
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

    revoke: (caller, id, condition) =>
      changeRecords(caller, deps, async (stores) => {
        const before = await own(caller, id, stores);
        checkCondition(condition, accessTokenTag(before));
        if (!(await stores.issuedTokens.revoke(id))) throw new OAuthError('token_not_found');
        const deleted = { action: 'delete', ...ofToken(before) } as const;
        return { value: undefined, changes: [{ ...deleted, before: tokenState(before) }] };
      }),
  };
}
