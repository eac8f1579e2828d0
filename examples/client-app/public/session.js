import { discover, OAuthFailure, post } from './authorization-server.js';
import { readIdToken } from './id-token.js';
import { challengeOf, randomText } from './pkce.js';

/**
 * @typedef {object} Tokens
 * @property {string} access
 * @property {string} refresh
 * @property {number} expires epoch milliseconds, Infinity = never
 */

/**
 * @typedef {object} User Who is signed in, as far as the user allowed the app to know.
 * @property {string} sub the permanent identifier
 * @property {string} [name]
 * @property {string} [email]
 */

// A token that ends within these milliseconds is renewed before it is used.
const margin = 10_000;

/**
 * What the app is allowed in this tab. Tokens are kept in this closure and nowhere else: what lies in localStorage can
 * be carried away by any script that slips into the page. A reload forgets them, and to sign in again takes no password,
 * for the authorization server remembers the login.
 * @param {{ issuer: string, clientId: string, redirectUri: string, scope: string }} client
 */
export function createSession({ issuer, clientId, redirectUri, scope }) {
  /** @type {Tokens | undefined} */
  let tokens;
  /** @type {User | undefined} */
  let user;
  /** @type {Promise<void> | undefined} */
  let renewal;

  /** @param {Record<string, string>} parameters */
  const requestTokens = async (parameters) => {
    const { token_endpoint } = await discover(issuer);
    const answer = await post(token_endpoint, { client_id: clientId, ...parameters });
    tokens = {
      access: answer.access_token,
      refresh: answer.refresh_token,
      expires: answer.expires_in === 0 ? Number.POSITIVE_INFINITY : Date.now() + answer.expires_in * 1000,
    };
    return answer;
  };

  /**
   * Name and e-mail address (OpenID Connect Core section 5.3), of the user whom the ID token names.
   * @param {string} sub
   */
  const requestUser = async (sub) => {
    const { userinfo_endpoint } = await discover(issuer);
    const headers = { authorization: `Bearer ${tokens?.access}` };
    const answer = await (await fetch(userinfo_endpoint, { headers })).json();
    if (answer.sub !== sub) throw new Error('The answer is about another user.');
    user = answer;
  };

  const redeemRefreshToken = async () => {
    if (tokens === undefined) throw new OAuthFailure('invalid_grant', 'No user is signed in.');
    try {
      await requestTokens({ grant_type: 'refresh_token', refresh_token: tokens.refresh });
    } catch (error) {
      // Withdrawn, or too old: there is nothing left to try again with.
      if (error instanceof OAuthFailure && error.code === 'invalid_grant') tokens = undefined;
      throw error;
    }
  };

  return {
    isSignedIn: () => tokens !== undefined,

    user: () => user,

    /** When the access token ends, in epoch milliseconds. */
    expires: () => tokens?.expires ?? 0,

    /** Sends the browser to the authorization server; it comes back to the redirect URI. */
    async signIn() {
      const [state, verifier, nonce] = [randomText(), randomText(), randomText()];
      // The page is gone when the answer comes, so that these must outlive it. They open nothing by themselves.
      sessionStorage.setItem('request', JSON.stringify({ state, verifier, nonce }));
      const { authorization_endpoint } = await discover(issuer);
      const request = new URL(authorization_endpoint);
      request.search = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: await challengeOf(verifier),
        code_challenge_method: 'S256',
      }).toString();
      location.assign(request);
    },

    /**
     * Takes the answer that the browser came back with.
     * @param {URLSearchParams} answer
     */
    async finishSignIn(answer) {
      const request = JSON.parse(sessionStorage.getItem('request') ?? '{}');
      sessionStorage.removeItem('request');
      // This browser has sent no such request: another site made it come here (RFC 9700 section 4.7).
      if (request.state === undefined || answer.get('state') !== request.state) {
        throw new OAuthFailure('invalid_state', 'This answer belongs to no request of this tab.');
      }
      // Of another authorization server (RFC 9207).
      if (answer.get('iss') !== issuer) throw new OAuthFailure('invalid_issuer', 'Another server answered.');
      const error = answer.get('error');
      if (error !== null) throw new OAuthFailure(error, answer.get('error_description') ?? undefined);
      const { id_token } = await requestTokens({
        grant_type: 'authorization_code',
        code: answer.get('code') ?? '',
        redirect_uri: redirectUri,
        code_verifier: request.verifier,
      });
      const { sub } = readIdToken(id_token, { issuer, clientId, nonce: request.nonce });
      await requestUser(sub);
    },

    /** Gets a new access token by the refresh token. Who asks meanwhile waits for the same one: it is used up by use. */
    async renew() {
      renewal ??= redeemRefreshToken().finally(() => {
        renewal = undefined;
      });
      await renewal;
    },

    /** An access token that is still good. */
    async accessToken() {
      if (tokens !== undefined && tokens.expires - Date.now() < margin) await this.renew();
      if (tokens === undefined) throw new OAuthFailure('invalid_grant', 'No user is signed in.');
      return tokens.access;
    },

    /** Revokes the refresh token (RFC 7009), and with it all that was issued under its grant. */
    async end() {
      const given = tokens;
      tokens = undefined;
      user = undefined;
      if (given === undefined) return;
      const { revocation_endpoint } = await discover(issuer);
      await post(revocation_endpoint, { client_id: clientId, token: given.refresh });
    },
  };
}
