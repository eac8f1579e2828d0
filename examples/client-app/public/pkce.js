// Proof Key for Code Exchange (RFC 7636): the client that redeems a code must be the one that requested it.

/** 256 random bits: a `code_verifier`, or a `state`. */
export function randomText() {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

/**
 * The `code_challenge` of a verifier, method S256.
 * @param {string} verifier
 */
export async function challengeOf(verifier) {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
}

/** @param {Uint8Array} bytes */
function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
