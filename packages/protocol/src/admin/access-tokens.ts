import { OAuthError } from '../model/errors.ts';
import type { PresentedAccessToken } from '../ports/access-token-store.ts';
import { Violations } from '../rules/registration.ts';
import { sha256 } from '../rules/sha256.ts';
import { findUnrevoked, revocationOf } from '../tokens/formats/jwt.ts';
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
import { checkCondition, type EditCondition } from './edit.ts';
import { accessTokenIssue } from './issue-access-token.ts';
import { isJwtAddress, jwtAddress, openJwtAddress } from './jwt-address.ts';
import { checkExpiry, checkTokenScopes, latestExpiry } from './token-rules.ts';

/** Names the state of a token. */
export function accessTokenTag({ scopes, expires }: AccessTokenFields): string {
  return sha256(JSON.stringify([scopes, expires])).toString('base64url', 0, 12);
}

export function accessTokenAdministration(
  deps: AccessTokenAdministrationDependencies,
): AccessTokenAdministration {
  const { accessTokens, accessTokenFormats, clock, openSealer } = deps;

  /** The token, if it is valid and that of the caller. */
  const own = async (
    caller: Caller,
    found: Omit<PresentedAccessToken, 'format'> | undefined,
    records: RegisteredRecords,
  ): Promise<ActiveToken> => {
    const token = found && (await activeToken(found, records));
    if (token !== undefined && isOwnToken(caller, token)) return token;
    throw new OAuthError('token_not_found');
  };

  const ownJwt = async (caller: Caller, jwt: PresentedAccessToken | undefined): Promise<ActiveToken> => {
    const token = await own(caller, jwt, deps);
    return { ...token, format: 'jwt', address: jwtAddress(token, await openSealer()) };
  };

  /** Nothing of a JWT is stored but its revocation, so it is read outside of a transaction. */
  const ownAddressedJwt = async (caller: Caller, address: string): Promise<ActiveToken> => {
    const jwt = await openJwtAddress(address, await openSealer());
    const unrevoked = jwt && (await findUnrevoked(jwt, deps));
    return ownJwt(caller, jwt && unrevoked && { ...jwt, ...unrevoked });
  };

  const revokeJwt = async (caller: Caller, address: string, condition?: EditCondition): Promise<void> => {
    const before = await ownAddressedJwt(caller, address);
    checkCondition(condition, accessTokenTag(before));
    const revocation = revocationOf({ ...before, clientRecordId: before.client.id }, clock.now());
    await changeRecords(caller, deps, async ({ issuedTokens }) =>
      deleted(before, await issuedTokens.revokeJwt(revocation)),
    );
  };

  return {
    list: accessTokenList(deps),
    create: accessTokenIssue(deps),

    find: async (caller, id) =>
      isJwtAddress(id) ? ownAddressedJwt(caller, id) : own(caller, await accessTokens.find(id), deps),

    async lookUp(caller, value) {
      const token = (await accessTokenFormats.find(value))?.token;
      return token?.format === 'jwt' ? ownJwt(caller, token) : own(caller, token, deps);
    },

    async update(caller, id, { apply, malformed, condition }) {
      if (isJwtAddress(id)) {
        await ownAddressedJwt(caller, id);
        throw signedToken();
      }
      return changeRecords(caller, deps, async (stores) => {
        const before = await own(caller, await stores.issuedTokens.find(id), stores);
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
      if (isJwtAddress(id)) return revokeJwt(caller, id, condition);
      return changeRecords(caller, deps, async (stores) => {
        const before = await own(caller, await stores.issuedTokens.find(id), stores);
        checkCondition(condition, accessTokenTag(before));
        return deleted(before, await stores.issuedTokens.revoke(id));
      });
    },
  };
}

/** @param isDeleted whether there was a row to change */
function deleted(token: ActiveToken, isDeleted: boolean) {
  if (!isDeleted) throw new OAuthError('token_not_found');
  const change = { action: 'delete', ...ofToken(token), before: tokenState(token) } as const;
  return { value: undefined, changes: [change] };
}

function signedToken(): OAuthError {
  return new OAuthError('conflict', {
    description:
      'The access token is a JWT, whose scopes and expiry are signed and cannot be changed. Revoke it, and let the client get another one.',
  });
}
