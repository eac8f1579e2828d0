import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { rsaKey } from '@watchword/testkit/rsa-key';
import { SignJWT } from 'jose';
import {
  type LogoutClient,
  logIn,
  postLogoutRedirectUri,
  registerLogoutClient,
} from '../support/logout-client.ts';

/** The state of the suite has 128 characters. */
const state = 'aB3-._~'.repeat(19).slice(0, 128);

describe('certification: RP-initiated logout', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server[Symbol.asyncDispose]());

  const loggedIn = async () => logIn(server, await registerLogoutClient(server));
  const usual = ({ idToken }: LogoutClient) => ({
    id_token_hint: idToken,
    post_logout_redirect_uri: postLogoutRedirectUri,
    state,
  });
  /** The browser stays at the server, which shows an error, and the user stays logged in. */
  const assertErrorPage = async (client: LogoutClient, parameters: Record<string, string>) => {
    const page = await client.logout(parameters);
    assert.equal(page.status, 400);
    assert.equal(page.location, undefined);
    assert.match(page.text, /could not sign you out/);
    for (const path of ['/logout', '/account']) assert.match(page.html, new RegExp(`<a [^>]*href="${path}"`));
    assert.ok(await client.isLoggedIn());
  };
  /** The browser stays at the server, which asks the user and then logs out. */
  const assertConfirmed = async (client: LogoutClient, parameters: Record<string, string>) => {
    const question = await client.logout(parameters);
    assert.equal(question.status, 200);
    assert.ok(await client.isLoggedIn());
    const page = await client.agent.submit(question, {});
    assert.equal(page.location, undefined);
    assert.match(page.text, /You are signed out/);
    assert.ok(!(await client.isLoggedIn()));
  };

  it('oidcc-rp-initiated-logout-discovery-endpoint-verification: metadata names the end_session_endpoint', async () => {
    const { json } = await server.get('/.well-known/openid-configuration');
    assert.equal(json.end_session_endpoint, `${server.service.baseUrl}/oauth2/logout`);
    assert.equal(json.issuer, server.service.baseUrl);
  });

  it('oidcc-rp-initiated-logout: sends the user to the post_logout_redirect_uri with the state, logged out', async () => {
    const client = await loggedIn();
    assert.ok(await client.isLoggedIn());
    const { location } = await client.logout(usual(client));
    assert.equal(location, `${postLogoutRedirectUri}?state=${encodeURIComponent(state)}`);
    assert.ok(!(await client.isLoggedIn()));
  });

  it('oidcc-rp-initiated-logout-no-state: sends the user to the post_logout_redirect_uri without a state', async () => {
    const client = await loggedIn();
    const { state: _, ...parameters } = usual(client);
    assert.equal((await client.logout(parameters)).location, postLogoutRedirectUri);
    assert.ok(!(await client.isLoggedIn()));
  });

  it('oidcc-rp-initiated-logout-bad-post-logout-redirect-uri: shows an error and does not redirect', async () => {
    const client = await loggedIn();
    const other = `${postLogoutRedirectUri}/other`;
    await assertErrorPage(client, { ...usual(client), post_logout_redirect_uri: other });
  });

  it('oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri: shows an error and does not redirect', async () => {
    const client = await loggedIn();
    const other = `${postLogoutRedirectUri}?foo=bar`;
    await assertErrorPage(client, { ...usual(client), post_logout_redirect_uri: other });
  });

  it('oidcc-rp-initiated-logout-modified-id-token-hint: shows an error for alg none', async () => {
    const client = await loggedIn();
    const [, payload] = client.idToken.split('.');
    const header = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    await assertErrorPage(client, { ...usual(client), id_token_hint: `${header}.${payload}.` });
  });

  it('oidcc-rp-initiated-logout-bad-id-token-hint: shows an error for an ID token with another signature', async () => {
    const client = await loggedIn();
    const forged = await new SignJWT(client.claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .sign(rsaKey('somebody else', 2048));
    await assertErrorPage(client, { ...usual(client), id_token_hint: forged });
  });

  it('oidcc-rp-initiated-logout-no-id-token-hint: shows an error where nothing names the client', async () => {
    const client = await loggedIn();
    const { id_token_hint: _, ...parameters } = usual(client);
    await assertErrorPage(client, parameters);
  });

  it('oidcc-rp-initiated-logout-no-params: asks the user, and logs out', async () => {
    await assertConfirmed(await loggedIn(), {});
  });

  it('oidcc-rp-initiated-logout-only-state: asks the user, and logs out', async () => {
    await assertConfirmed(await loggedIn(), { state });
  });

  it('oidcc-rp-initiated-logout-no-post-logout-redirect-uri: logs out, and shows that', async () => {
    const client = await loggedIn();
    const page = await client.logout({ id_token_hint: client.idToken, state });
    assert.equal(page.location, undefined);
    assert.match(page.text, /You are signed out/);
    assert.ok(!(await client.isLoggedIn()));
  });
});
