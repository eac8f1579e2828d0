import { timingSafeEqual } from 'node:crypto';
import { type Client, isPublicClient } from '../model/client.ts';
import { OAuthError } from '../model/errors.ts';
import { type Identity, identityOf } from '../model/resource-owner.ts';
import type { Scopes } from '../model/scope.ts';
import type { GrantStore } from '../ports/grant-store.ts';
import type { FoundRefreshToken, RefreshTokenStore } from '../ports/refresh-token-store.ts';
import { isOfConfiguredProvider, type OwnerDependencies } from '../rules/configured-identity-provider.ts';
import { requiredParameter } from '../rules/parameters.ts';
import { grantScopes, remainingScopes } from '../rules/scope.ts';
import { parseBearerValue } from '../tokens/bearer-value.ts';
import { newAccessToken, type TokenMakingDependencies } from '../tokens/issue-access-token.ts';
import {
  newRefreshToken,
  openAnswer,
  type RefreshTokenLifetimes,
  sealAnswer,
} from '../tokens/refresh-tokens.ts';
import type { GrantRequest, GrantType, IssuedTokens } from './grant-type.ts';

export interface RefreshTokenDependencies
  extends TokenMakingDependencies,
    RefreshTokenLifetimes,
    OwnerDependencies {
  readonly refreshTokens: RefreshTokenStore;
  readonly grants: GrantStore;
  /** Seconds within which a confidential client that lost the answer gets the same one again; 0 = never. */
  readonly refreshGrace: number;
  /** The same of a public client, whose token a thief can use without its secret. */
  readonly publicRefreshGrace: number;
  /** The repetition in so many repeated rotations in a row revokes the grant; 0 = none does. */
  readonly refreshGraceStreak: number;
}

const maxRepetitions = 2;

/**
 * The client gets a new pair for its refresh token (RFC 6749 §6), which is used up by that (RFC 9700 §4.14.2).
 *
 * A client whose connection broke asks again with the old token: within the grace, and while the new one is unused, it
 * gets the same answer again, twice at most. Who does so rotation after rotation shares the tokens with somebody. That, and
 * any other use of a used token, is theft, and revokes the grant. So however many ask, a grant never has two living branches.
 */
export function refreshTokenGrant(deps: RefreshTokenDependencies): GrantType {
  const { refreshTokens, grants, clock, random } = deps;
  const limits = { repetitions: maxRepetitions, streak: deps.refreshGraceStreak };

  /** Revokes everything. */
  const reportTheft = async (grantId: string, account: Identity): Promise<OAuthError> => {
    await grants.revoke(grantId, clock.now());
    return new OAuthError('invalid_grant', {
      description: 'The refresh token was used before; everything issued for it is revoked.',
      account,
    });
  };

  /** The token was used before: answers the same again, or revokes everything. */
  const repeat = async (
    { token, rotation, grant: { owner: resourceOwner } }: FoundRefreshToken,
    value: string,
    { client, requestedScopes }: GrantRequest,
  ): Promise<IssuedTokens> => {
    const owner = identityOf(resourceOwner);
    const grace = isPublicClient(client) ? deps.publicRefreshGrace : deps.refreshGrace;
    const isInGrace = rotation !== undefined && Math.abs(clock.now() - rotation.at) < grace * 1000;
    if (!isInGrace || rotation.successorIsRotated) throw await reportTheft(token.grantId, owner);
    const answer = openAnswer(value, rotation.sealedAnswer) as IssuedTokens | undefined;
    if (answer === undefined) throw invalidGrant(owner);
    const available = remainingScopes(token.scopes, client.scopes);
    if (!asksForTheSame(requestedScopes, available, answer.accessToken.scopes)) {
      throw new OAuthError('invalid_scope', {
        description: 'A refresh token that was used is answered again only with the same scope.',
        account: owner,
      });
    }
    switch (await refreshTokens.repeatRotation(token.id, limits)) {
      case 'answered':
        return answer;
      case 'exhausted':
        throw new OAuthError('invalid_grant', {
          description: 'The refresh token was used too often; use the one that was issued for it.',
          account: owner,
        });
      case 'streak':
      case 'used':
        throw await reportTheft(token.grantId, owner);
    }
  };

  return {
    type: 'refresh_token',
    isAllowedFor: (client) => client.useRefreshTokens,
    async issue(request) {
      const { client, parameters, requestedScopes } = request;
      const value = requiredParameter(parameters, 'refresh_token');
      const found = await livingToken(value, client, deps);
      if (found.rotation !== undefined) return repeat(found, value, request);
      const { token } = found;
      const scopes = grantScopes(requestedScopes, remainingScopes(token.scopes, client.scopes));
      const { accessToken, accessTokenValue } = newAccessToken(client, scopes, token.grantId, deps);
      const { refreshToken, refreshTokenValue } = newRefreshToken(client, token, deps);
      const { expires, creationDate } = accessToken;
      const answer = {
        accessToken: { scopes, expires, creationDate },
        accessTokenValue,
        refreshTokenValue,
      };
      const tokens = { accessToken, refreshToken };
      if (await refreshTokens.rotate(token.id, tokens, sealAnswer(value, answer, random), clock.now())) {
        return answer;
      }
      // Somebody with the same token was faster, or the grant is gone.
      return repeat(await livingToken(value, client, deps), value, request);
    },
  };
}

/** Whether the scopes of a repetition are those of the answer; a request that names none asks for all that there are. */
function asksForTheSame(requested: Scopes | undefined, available: Scopes, answered: Scopes): boolean {
  const asked = requested ?? available;
  return (
    asked.every((scope) => answered.includes(scope)) &&
    (requested === undefined || answered.every((scope) => requested.includes(scope)))
  );
}

/** @throws OAuthError `invalid_grant`, which tells nothing about the token */
async function livingToken(
  value: string,
  client: Client,
  deps: RefreshTokenDependencies,
): Promise<FoundRefreshToken> {
  const { refreshTokens, clock } = deps;
  const presented = parseBearerValue('refresh', value);
  const found = presented && (await refreshTokens.find(presented.id));
  if (!found || !timingSafeEqual(found.token.verifierHash, presented.verifierHash)) throw invalidGrant();
  const { clientRecordId, expires, creationDate } = found.token;
  const isAlive = expires > clock.now() && creationDate > client.tokensValidFrom;
  const { owner } = found.grant;
  if (clientRecordId !== client.id || !isAlive) throw invalidGrant(identityOf(owner));
  if (!isOfConfiguredProvider(owner, deps)) throw invalidGrant(identityOf(owner));
  return found;
}

function invalidGrant(account?: Identity): OAuthError {
  return new OAuthError('invalid_grant', { description: 'The refresh token is not valid.', account });
}
