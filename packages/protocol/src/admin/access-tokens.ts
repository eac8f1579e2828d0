import { OAuthError } from '../model/errors.ts';
import type { GrantedAccessToken, PresentedAccessToken } from '../ports/access-token-store.ts';
import type { IssuedTokenStore } from '../ports/issued-token-store.ts';
import type { RevokedTokenStore } from '../ports/revoked-token-store.ts';
import { Violations } from '../rules/registration.ts';
import { sha256 } from '../rules/sha256.ts';
import { revocationOf } from '../tokens/formats/jwt.ts';
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
import { type AddressedJwt, isJwtAddress, jwtAddress, openJwtAddress } from './jwt-address.ts';
import { checkExpiry, checkTokenScopes, latestExpiry } from './token-rules.ts';

/** Names the state of a token. */
export function accessTokenTag({ scopes, expires }: AccessTokenFields): string {
  return sha256(JSON.stringify([scopes, expires])).toString('base64url', 0, 12);
}

/** An opaque token is named by its id, a JWT by what its address contains. */
type Named = string | AddressedJwt;

interface TokenStores extends RegisteredRecords {
  readonly issuedTokens: Pick<IssuedTokenStore, 'find'>;
  readonly revokedTokens: Pick<RevokedTokenStore, 'findUnrevoked'>;
}

export function accessTokenAdministration(
  deps: AccessTokenAdministrationDependencies,
): AccessTokenAdministration {
  const { accessTokens, accessTokenFormats, clock, sealer } = deps;

  /** The token, if it is valid and that of the caller. */
  const own = async (
    caller: Caller,
    found: GrantedAccessToken | PresentedAccessToken | undefined,
    records: RegisteredRecords,
  ): Promise<ActiveToken> => {
    const jwt = found !== undefined && 'format' in found && found.format === 'jwt' ? found : undefined;
    const token = found && (await activeToken(found, records, jwt?.format));
    if (token === undefined || !isOwnToken(caller, token)) throw new OAuthError('token_not_found');
    return jwt === undefined ? token : { ...token, address: jwtAddress(jwt, sealer) };
  };
  const named = async (id: string): Promise<Named> => {
    if (!isJwtAddress(id)) return id;
    const jwt = await openJwtAddress(id, sealer);
    if (jwt === undefined) throw new OAuthError('token_not_found');
    return jwt;
  };
  const ownNamed = async (caller: Caller, name: Named, stores: TokenStores): Promise<ActiveToken> => {
    if (typeof name === 'string') return own(caller, await stores.issuedTokens.find(name), stores);
    const unrevoked = await stores.revokedTokens.findUnrevoked(name);
    return own(caller, unrevoked && { ...name, ...unrevoked }, stores);
  };
  const read = { ...deps, issuedTokens: accessTokens };

  return {
    list: accessTokenList(deps),
    create: accessTokenIssue(deps),

    find: async (caller, id) => ownNamed(caller, await named(id), read),

    lookUp: async (caller, value) => own(caller, (await accessTokenFormats.find(value))?.token, read),

    async update(caller, id, { apply, malformed, condition }) {
      const name = await named(id);
      return changeRecords(caller, deps, async (stores) => {
        const before = await ownNamed(caller, name, stores);
        if (before.format === 'jwt') throw signedToken();
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

    async revoke(caller, id, condition) {
      const name = await named(id);
      return changeRecords(caller, deps, async (stores) => {
        const before = await ownNamed(caller, name, stores);
        checkCondition(condition, accessTokenTag(before));
        const isRevoked =
          typeof name === 'string'
            ? await stores.issuedTokens.revoke(name)
            : await stores.revokedTokens.add(revocationOf(name, clock.now()));
        if (!isRevoked) throw new OAuthError('token_not_found');
        const deleted = { action: 'delete', ...ofToken(before) } as const;
        return { value: undefined, changes: [{ ...deleted, before: tokenState(before) }] };
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
