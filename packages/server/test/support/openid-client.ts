import assert from 'node:assert/strict';
import type { ClientRegistration } from '@watchword/protocol';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { type Answer, readAnswer, type Served } from '@watchword/server-testkit/servers/server';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';

export const openidScope = 'openid profile email address phone';
export const openidScopes = ['profile', 'email', 'address', 'phone'] as const;

/** The password of a user of the module `any-person`, who has a value for each standard claim of a scope. */
export const persona = JSON.stringify({
  groups: ['staff'],
  attributes: {
    DISPLAY_NAME: 'Emma de Vries',
    givenName: 'Emma',
    sn: 'de Vries',
    c: 'NL',
    mobile: '+31201234567',
  },
  amr: ['pwd', 'otp'],
  acr: 'urn:example:strong',
  claims: { email: 'emma@example.org', email_verified: true },
});

/** Registers a client that can ask for all claims. */
export function registerOpenidClient(
  server: Served,
  registration: Partial<ClientRegistration> = {},
  resourceServerKey?: string,
): Promise<Application> {
  return registerApplication(
    server,
    { openidScopes: [...openidScopes], expireDuration: 600, ...registration },
    resourceServerKey,
  );
}

/** Verifies a JWT with the published keys, as a client does. */
export async function verified(
  server: Served,
  token: string,
  { client }: Application,
  options: Parameters<typeof jwtVerify>[2] = {},
): Promise<JWTPayload> {
  const keys = createRemoteJWKSet(new URL(`${server.baseUrl}/oauth2/jwks`));
  const issuer = server.service.baseUrl;
  return (await jwtVerify(token, keys, { issuer, audience: client.clientId, ...options })).payload;
}

/** The tokens of a code flow with the scope; `id_token` is verified. */
export async function logIn(
  server: Served,
  app: Application,
  parameters: Record<string, string> = {},
): Promise<{ readonly tokens: Answer['json']; readonly claims: JWTPayload }> {
  const request = { scope: openidScope, nonce: 'n-0S6_WzA2Mj', ...parameters };
  const { parameters: answered, location } = await app.authorize(request, { password: persona });
  const answer = await app.redeem(answered.get('code') ?? assert.fail(location));
  assert.equal(answer.status, 200, answer.text);
  return { tokens: answer.json, claims: await verified(server, answer.json.id_token, app) };
}

/** A request with a bearer token, or without one. */
export async function userinfo(
  server: Served,
  token: string | undefined,
  init: RequestInit = {},
): Promise<Answer> {
  const headers = new Headers(init.headers);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  return readAnswer(await fetch(`${server.baseUrl}/oauth2/userinfo`, { ...init, headers }));
}
