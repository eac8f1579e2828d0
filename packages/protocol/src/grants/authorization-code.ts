import { timingSafeEqual } from 'node:crypto';
import type { AuthorizationCode } from '../model/authorization-code.ts';
import type { Client } from '../model/client.ts';
import { OAuthError } from '../model/errors.ts';
import { type Identity, identityOf } from '../model/resource-owner.ts';
import type { AuthorizationCodeStore, FoundAuthorizationCode } from '../ports/authorization-code-store.ts';
import type { GrantStore } from '../ports/grant-store.ts';
import { isOfConfiguredProvider, type OwnerDependencies } from '../rules/configured-identity-provider.ts';
import { optionalParameter, type Parameters, requiredParameter } from '../rules/parameters.ts';
import { verifierMatches } from '../rules/pkce.ts';
import { remainingScopes } from '../rules/scope.ts';
import { parseBearerValue } from '../tokens/bearer-value.ts';
import { newAccessToken, type TokenMakingDependencies } from '../tokens/issue-access-token.ts';
import { newRefreshToken, type RefreshTokenLifetimes } from '../tokens/refresh-tokens.ts';
import type { GrantType } from './grant-type.ts';

export interface AuthorizationCodeDependencies
  extends TokenMakingDependencies,
    RefreshTokenLifetimes,
    OwnerDependencies {
  readonly authorizationCodes: AuthorizationCodeStore;
  readonly grants: GrantStore;
}

/**
 * The client redeems the code that a resource owner's browser brought it (RFC 6749 §4.1.3). A code counts once:
 * one that comes again, otherwise valid, revokes everything issued for it (§4.1.2, §10.5). A refused attempt leaves
 * the code as it is, a few times.
 */
export function authorizationCodeGrant(deps: AuthorizationCodeDependencies): GrantType {
  const { authorizationCodes, grants, clock } = deps;

  return {
    type: 'authorization_code',
    isAllowedFor: (client) => client.redirectUris.length > 0,
    async issue({ client, parameters }) {
      const { code, isRedeemed, grant } = await presentedCode(parameters, client, authorizationCodes);
      const owner = grant && identityOf(grant.owner);
      if (!isOfConfiguredProvider(owner, deps)) throw invalidCode(owner);
      const fault = redemptionFault(code, client, parameters);
      if (fault !== undefined) {
        await authorizationCodes.recordFailure(code.id);
        throw new OAuthError('invalid_grant', { description: fault, account: owner });
      }
      const now = clock.now();
      if (isRedeemed) {
        await grants.revoke(code.grantId, now);
        throw replayed(owner);
      }
      if (code.expires <= now || code.creationDate <= client.tokensValidFrom) {
        throw new OAuthError('invalid_grant', {
          description: 'The authorization code has expired.',
          account: owner,
        });
      }
      const scopes = remainingScopes(code.scopes, client.scopes);
      const { grantId } = code;
      const { accessToken, accessTokenValue } = newAccessToken(client, scopes, grantId, deps);
      const refresh = client.useRefreshTokens
        ? newRefreshToken(client, { grantId, scopes }, deps)
        : undefined;
      const tokens = { accessToken, refreshToken: refresh?.refreshToken };
      if (!(await authorizationCodes.redeem(code.id, tokens, now))) {
        // Somebody else was faster, or the grant is gone. Of two who hold a code one is a thief.
        await grants.revoke(grantId, now);
        throw replayed(owner);
      }
      return {
        accessToken,
        accessTokenValue,
        ...(refresh && { refreshTokenValue: refresh.refreshTokenValue }),
      };
    },
  };
}

/** Of another client's it says no more than of one that there is not, and counts nothing: else anybody could use it up. */
async function presentedCode(
  parameters: Parameters,
  client: Client,
  authorizationCodes: AuthorizationCodeStore,
): Promise<FoundAuthorizationCode> {
  const presented = parseBearerValue('code', requiredParameter(parameters, 'code'));
  const found = presented && (await authorizationCodes.find(presented.id));
  const isTheirs = found?.code.clientRecordId === client.id;
  if (found && isTheirs && timingSafeEqual(found.code.verifierHash, presented.verifierHash)) return found;
  throw invalidCode();
}

/** Why this client may not redeem this code in this way; `undefined` when it may. */
function redemptionFault(
  code: AuthorizationCode,
  client: Client,
  parameters: Parameters,
): string | undefined {
  const redirectUri = optionalParameter(parameters, 'redirect_uri');
  // A client that named none had one alone, and may name it now.
  const expected = code.redirectUri ?? redirectUri;
  if (redirectUri !== expected || (code.redirectUri === undefined && !isOnlyOne(redirectUri, client))) {
    return 'The redirect_uri is not that of the authorization request.';
  }
  const verifier = optionalParameter(parameters, 'code_verifier');
  if (code.codeChallenge === undefined) {
    // RFC 9700 §4.8.2: else an attacker could strip the challenge from the request.
    return verifier === undefined ? undefined : 'The authorization request had no code_challenge.';
  }
  return verifier !== undefined && verifierMatches(code.codeChallenge, verifier)
    ? undefined
    : 'The code_verifier does not match the code_challenge.';
}

function isOnlyOne(redirectUri: string | undefined, { redirectUris }: Client): boolean {
  return redirectUri === undefined || redirectUris.includes(redirectUri);
}

function invalidCode(account?: Identity): OAuthError {
  return new OAuthError('invalid_grant', { description: 'The authorization code is not valid.', account });
}

function replayed(account: Identity | undefined): OAuthError {
  return new OAuthError('invalid_grant', {
    description: 'The authorization code was redeemed before; everything issued for it is revoked.',
    account,
  });
}
