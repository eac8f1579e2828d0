import assert from 'node:assert/strict';
import type { ClientRegistration } from '@watchword/protocol';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import type { Served } from '@watchword/server-testkit/servers/server';
import type { ResourceOwnerAnswers } from '@watchword/testkit/follow-flow';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { createRemoteJWKSet, type JWTPayload, type JWTVerifyResult, jwtVerify } from 'jose';

export const postLogoutRedirectUri = 'https://app.example/post_logout_redirect';

/** A client that logs users in and out, and the browser of one user. */
export interface LogoutClient {
  readonly app: Application;
  readonly agent: UserAgent;
  readonly idToken: string;
  readonly claims: JWTPayload;
  /** Sends the browser to the end_session_endpoint. */
  logout(parameters?: Record<string, string>): Promise<Page>;
  /** Whether the browser is still logged in: the answer to a request with prompt=none. */
  isLoggedIn(): Promise<boolean>;
}

export async function registerLogoutClient(
  server: Served,
  registration: Partial<ClientRegistration> = {},
  resourceServerKey?: string,
): Promise<Application> {
  const fields = { skipConsent: true, postLogoutRedirectUris: [postLogoutRedirectUri], ...registration };
  return registerApplication(server, fields, resourceServerKey);
}

/** Logs in at the client. */
export async function logIn(
  server: Served,
  app: Application,
  agent = new UserAgent(),
  parameters: Record<string, string> = {},
  answers: ResourceOwnerAnswers = {},
): Promise<LogoutClient> {
  const answered = await app.authorize({ scope: 'openid', nonce: 'n-1', ...parameters }, answers, agent);
  const code = answered.parameters.get('code');
  assert.ok(code, answered.location);
  const { json, text } = await app.redeem(code);
  const idToken = json?.id_token;
  assert.ok(idToken, text);
  const claims = JSON.parse(Buffer.from(idToken.split('.')[1], 'base64url').toString());
  return {
    app,
    agent,
    idToken,
    claims,
    logout: (query = {}) =>
      agent.get(`${server.baseUrl}/oauth2/logout?${new URLSearchParams(query).toString()}`),
    async isLoggedIn() {
      const { location = '' } = await app.open({ scope: 'openid', prompt: 'none' }, agent);
      return new URL(location).searchParams.has('code');
    },
  };
}

/** Verifies a token of the server by its published keys. */
export function verified(
  server: Served,
  token: string,
  audience: string,
  typ: string,
): Promise<JWTVerifyResult> {
  const keys = createRemoteJWKSet(new URL(`${server.baseUrl}/oauth2/jwks`));
  return jwtVerify(token, keys, { issuer: server.service.baseUrl, audience, typ });
}
