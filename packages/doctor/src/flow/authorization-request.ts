import { createHash, randomBytes } from 'node:crypto';
import type { Flow } from './flow.ts';

/** An authorization request as the client sends it, and what the client remembers of it. */
export interface AuthorizationRequest {
  readonly url: string;
  readonly redirectUri: string;
  readonly state: string;
  /** Of a client that logs users in. */
  readonly nonce: string | undefined;
  /** `undefined` for the implicit grant. */
  readonly codeVerifier: string | undefined;
}

/** With all scopes of the client, and PKCE (RFC 7636) for a code. */
export function authorizationRequest({
  client,
  server,
  authenticator,
  resource,
}: Flow): AuthorizationRequest {
  const [state, nonce, codeVerifier] = [randomText(), randomText(), randomText()];
  const isImplicit = client.allowedImplicitGrant;
  const redirectUri = client.redirectUris[0] ?? '';
  const isLogin = client.openidScopes.length > 0 && !isImplicit;
  const scopes = [...client.scopes, ...(isLogin ? ['openid'] : [])];
  const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const url = new URL(String(server.metadata.authorization_endpoint));
  url.search = new URLSearchParams({
    response_type: isImplicit ? 'token' : 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    state,
    ...(resource !== undefined && { resource }),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(isLogin && { nonce }),
    ...(!isImplicit && { code_challenge: challenge, code_challenge_method: 'S256' }),
    ...(authenticator !== undefined && { authenticator_hint: authenticator }),
  }).toString();
  return {
    url: url.href,
    redirectUri,
    state,
    nonce: isLogin ? nonce : undefined,
    codeVerifier: isImplicit ? undefined : codeVerifier,
  };
}

function randomText(): string {
  return randomBytes(32).toString('base64url');
}
