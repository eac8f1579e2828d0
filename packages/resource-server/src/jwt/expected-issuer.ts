import { decodeJwt } from 'jose/jwt/decode';
import { AuthorizationServerUnavailable } from '../errors.ts';
import type { Lookup } from '../lookup/lookup.ts';

/**
 * Lookups that accept JWTs of the issuer only. Token info says that a token is good, and not whose it is. A good token of another
 * issuer means that the option is wrong, so it is no reason for clients to throw their tokens away.
 *
 * @param issuer `undefined` for any issuer that the server has
 * @throws also AuthorizationServerUnavailable `other_issuer`
 */
export function lookupOfIssuer(lookUp: Lookup, issuer: string | undefined): Lookup {
  if (issuer === undefined) return lookUp;
  return async (token) => {
    const info = await lookUp(token);
    const claims = claimsOf(token);
    if (claims !== undefined) expectIssuer(issuer, claims.iss, 'a JWT that token info accepts');
    return info;
  };
}

/**
 * @param from what states the issuer
 * @throws AuthorizationServerUnavailable `other_issuer`
 */
export function expectIssuer(expected: string, came: unknown, from: string): void {
  if (came === expected) return;
  // RFC 8414 §2: issuers are compared as they are.
  const detail = `expected the issuer ${expected} of the option issuer, letter by letter, and ${from} states ${came}`;
  throw new AuthorizationServerUnavailable('other_issuer', { detail });
}

/** `undefined` for an opaque token. */
function claimsOf(token: string): ReturnType<typeof decodeJwt> | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}
