import type { AccessToken } from '../model/access-token.ts';
import type { Client } from '../model/client.ts';
import type { Scopes } from '../model/scope.ts';
import type { AccessTokenStore } from '../ports/access-token-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import { createBearerValue } from './bearer-value.ts';

/** An access token, and the text that is handed out once. */
export interface NewAccessToken {
  readonly accessToken: AccessToken;
  readonly accessTokenValue: string;
}

/** Issues an access token that nobody granted; resolves once it is durable. */
export type AccessTokenIssuer = (client: Client, scopes: Scopes) => Promise<NewAccessToken>;

export interface TokenMakingDependencies {
  readonly clock: Clock;
  readonly random: Random;
}

export interface IssuerDependencies extends TokenMakingDependencies {
  readonly accessTokens: AccessTokenStore;
}

export function accessTokenIssuer({ accessTokens, ...deps }: IssuerDependencies): AccessTokenIssuer {
  return async (client, scopes) => {
    const issued = newAccessToken(client, scopes, undefined, deps);
    await accessTokens.insert(issued.accessToken);
    return issued;
  };
}

/**
 * Makes an access token and stores nothing.
 *
 * @param lifetime seconds; 0 = does not expire
 */
export function newAccessToken(
  client: Client,
  scopes: Scopes,
  grantId: string | undefined,
  { clock, random }: TokenMakingDependencies,
  lifetime: number = client.expireDuration,
): NewAccessToken {
  // A token that is not younger than the last revocation of all of the client's would be dead at birth: in
  // the same millisecond, or after the clock was set back.
  const now = Math.max(clock.now(), client.tokensValidFrom + 1);
  const { value, id, verifierHash } = createBearerValue('access', now, random, grantId);
  const accessToken = {
    id,
    verifierHash,
    clientRecordId: client.id,
    grantId,
    scopes,
    expires: lifetime === 0 ? 0 : now + lifetime * 1000,
    creationDate: now,
  };
  return { accessToken, accessTokenValue: value };
}
