/**
 * @typedef {object} IdTokenClaims What an ID token says about the login (OpenID Connect Core section 2).
 * @property {string} iss
 * @property {string} sub
 * @property {string} aud
 * @property {number} exp epoch seconds
 * @property {string} [nonce]
 */

/**
 * Reads the claims of an ID token that came from the token endpoint. Its signature need not be checked, because no other
 * server can have sent it (OpenID Connect Core section 3.1.3.7, number 6); an ID token from elsewhere needs that check.
 * @param {string} idToken
 * @param {{ issuer: string, clientId: string, nonce: string }} expected
 * @returns {IdTokenClaims}
 */
export function readIdToken(idToken, { issuer, clientId, nonce }) {
  const [, payload = ''] = idToken.split('.');
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );
  /** @type {IdTokenClaims} */
  const claims = JSON.parse(new TextDecoder().decode(bytes));
  const isExpected = claims.iss === issuer && claims.aud === clientId && claims.nonce === nonce;
  if (!isExpected || claims.exp * 1000 <= Date.now()) {
    throw new Error('The ID token is not for this login.');
  }
  return claims;
}
