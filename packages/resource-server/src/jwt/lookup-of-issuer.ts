import { decodeJwt } from 'jose/jwt/decode';
import { expectIssuer, type IssuerSettings } from '../lookup/expect-issuer.ts';
import type { Lookup } from '../lookup/lookup.ts';

/**
 * Lookups that accept JWTs of the issuer only. Token info says that a token is good, and not whose it is. A good token of another
 * issuer means that the option is wrong, so it is no reason for clients to throw their tokens away.
 *
 * @param settings without `issuer`, any issuer that the server has is accepted
 * @throws also AuthorizationServerUnavailable `other_issuer`
 */
export function lookupOfIssuer(lookUp: Lookup, settings: IssuerSettings): Lookup {
  if (settings.issuer === undefined) return lookUp;
  return async (token) => {
    const info = await lookUp(token);
    const claims = claimsOf(token);
    if (claims !== undefined) expectIssuer(settings, claims.iss, 'a JWT that token info accepts');
    return info;
  };
}

/** `undefined` for an opaque token. */
function claimsOf(token: string): ReturnType<typeof decodeJwt> | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}
