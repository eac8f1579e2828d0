/** What the authorization server said no to; `code` is its `error`, such as `invalid_grant`. */
export class OAuthFailure extends Error {
  /**
   * @param {string} code
   * @param {string} [description]
   */
  constructor(code, description) {
    super(description ?? code);
    this.code = code;
  }
}

/**
 * @typedef {object} Metadata What the authorization server says of itself (RFC 8414).
 * @property {string} issuer
 * @property {string} authorization_endpoint
 * @property {string} token_endpoint
 * @property {string} userinfo_endpoint
 * @property {string} revocation_endpoint
 */

/**
 * @param {string} issuer base URL of the authorization server
 * @returns {Promise<Metadata>}
 */
export async function discover(issuer) {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === '/' ? '' : pathname;
  const response = await fetch(`${origin}/.well-known/oauth-authorization-server${path}`);
  if (!response.ok) throw new Error(`The authorization server answers ${response.status}.`);
  const metadata = await response.json();
  // RFC 8414 section 3.3: else the metadata belongs to another server.
  if (metadata.issuer !== issuer) throw new Error(`Expected metadata of ${issuer}, got ${metadata.issuer}.`);
  return metadata;
}

/**
 * Posts a form to the token or the revocation endpoint. A public client has no secret: it says who it is.
 * @param {string} endpoint
 * @param {Record<string, string>} parameters
 */
export async function post(endpoint, parameters) {
  const response = await fetch(endpoint, { method: 'POST', body: new URLSearchParams(parameters) });
  const text = await response.text();
  const answer = text === '' ? {} : JSON.parse(text);
  if (!response.ok) throw new OAuthFailure(answer.error, answer.error_description);
  return answer;
}
