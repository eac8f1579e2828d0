import type { IssuedTokens } from '../grants/grant.ts';
import type { Client } from '../model/client.ts';
import type { Scopes } from '../model/scope.ts';
import type { AccessTokenStore } from '../ports/access-token-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import { createBearerValue } from './bearer-value.ts';

/** Issues an access token with the client's lifetime; resolves once it is durable. */
export type AccessTokenIssuer = (client: Client, scopes: Scopes) => Promise<IssuedTokens>;

export interface IssuerDependencies {
  readonly accessTokens: AccessTokenStore;
  readonly clock: Clock;
  readonly random: Random;
}

export function accessTokenIssuer({ accessTokens, clock, random }: IssuerDependencies): AccessTokenIssuer {
  return async (client, scopes) => {
    // A token that is not younger than the last revocation of all of the client's would be dead at birth: in
    // the same millisecond, or after the clock was set back.
    const now = Math.max(clock.now(), client.tokensValidFrom + 1);
    const { value, id, verifierHash } = createBearerValue('access', now, random);
    const accessToken = {
      id,
      verifierHash,
      clientRecordId: client.id,
      scopes,
      expires: client.expireDuration === 0 ? 0 : now + client.expireDuration * 1000,
      creationDate: now,
    };
    await accessTokens.insert(accessToken);
    return { accessToken, accessTokenValue: value };
  };
}
