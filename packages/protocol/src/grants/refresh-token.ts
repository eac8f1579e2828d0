import { timingSafeEqual } from 'node:crypto';
import { OAuthError } from '../errors.ts';
import type { Client } from '../model/client.ts';
import type { Identity } from '../model/resource-owner.ts';
import type { GrantStore } from '../ports/grant-store.ts';
import type { FoundRefreshToken, RefreshTokenStore } from '../ports/refresh-token-store.ts';
import { requiredParameter } from '../rules/parameters.ts';
import { grantScopes, remainingScopes } from '../rules/scope.ts';
import { isOfConfiguredProvider, type OwnerDependencies } from '../sessions/configured-owner.ts';
import { parseBearerValue } from '../tokens/bearer-value.ts';
import { newAccessToken, type TokenMakingDependencies } from '../tokens/issue-access-token.ts';
import {
  newRefreshToken,
  openAnswer,
  type RefreshTokenLifetimes,
  sealAnswer,
} from '../tokens/refresh-tokens.ts';
import type { GrantType, IssuedTokens } from './grant-type.ts';

export interface RefreshTokenDependencies
  extends TokenMakingDependencies,
    RefreshTokenLifetimes,
    OwnerDependencies {
  readonly refreshTokens: RefreshTokenStore;
  readonly grants: GrantStore;
  /** Seconds within which a client that lost the answer gets the same one again; 0 = never. */
  readonly refreshGrace: number;
}

const maxRepetitions = 10;

/**
 * The client gets a new pair for its refresh token (RFC 6749 §6), which is used up by that (RFC 9700 §4.14.2).
 *
 * A client whose connection broke asks again with the old token: within the grace, and while the new one is unused, it
 * gets the same answer once more. Any other use of a used token is theft, of this one or of the new one, and revokes the
 * grant. So however many ask, a grant never has two living branches.
 */
export function refreshTokenGrant(world: RefreshTokenDependencies): GrantType {
  const { refreshTokens, grants, clock, random, refreshGrace } = world;

  /** The token was used before: answers the same again, or revokes everything. */
  const repeat = async (
    { token, rotation, owner }: FoundRefreshToken,
    value: string,
  ): Promise<IssuedTokens> => {
    const now = clock.now();
    const isInGrace = rotation !== undefined && Math.abs(now - rotation.at) < refreshGrace * 1000;
    if (rotation === undefined || !isInGrace || rotation.successorIsRotated) {
      await grants.revoke(token.grantId, now);
      throw new OAuthError('invalid_grant', {
        description: 'The refresh token was used before; everything issued for it is revoked.',
        account: owner,
      });
    }
    if ((await refreshTokens.recordRepetition(token.id)) > maxRepetitions) throw invalidGrant(owner);
    const answer = openAnswer(value, rotation.sealedAnswer);
    if (answer === undefined) throw invalidGrant(owner);
    return answer as IssuedTokens;
  };

  return {
    type: 'refresh_token',
    isAllowedFor: (client) => client.useRefreshTokens,
    async issue({ client, parameters, requestedScopes }) {
      const value = requiredParameter(parameters, 'refresh_token');
      const found = await livingToken(value, client, world);
      const { token } = found;
      const scopes = grantScopes(requestedScopes, remainingScopes(token.scopes, client.scopes));
      if (found.rotation !== undefined) return repeat(found, value);

      const { accessToken, accessTokenValue } = newAccessToken(client, scopes, token.grantId, world);
      const { refreshToken, refreshTokenValue } = newRefreshToken(client, token, world);
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
      return repeat(await livingToken(value, client, world), value);
    },
  };
}

/** @throws OAuthError `invalid_grant`, which tells nothing about the token */
async function livingToken(
  value: string,
  client: Client,
  world: RefreshTokenDependencies,
): Promise<FoundRefreshToken> {
  const { refreshTokens, clock } = world;
  const presented = parseBearerValue('refresh', value);
  const found = presented && (await refreshTokens.find(presented.id));
  if (!found || !timingSafeEqual(found.token.verifierHash, presented.verifierHash)) throw invalidGrant();
  const { clientRecordId, expires, creationDate } = found.token;
  const isAlive = expires > clock.now() && creationDate > client.tokensValidFrom;
  if (clientRecordId !== client.id || !isAlive) throw invalidGrant(found.owner);
  if (!isOfConfiguredProvider(found.owner, world)) throw invalidGrant(found.owner);
  return found;
}

function invalidGrant(account?: Identity): OAuthError {
  return new OAuthError('invalid_grant', { description: 'The refresh token is not valid.', account });
}
