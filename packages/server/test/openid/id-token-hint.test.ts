import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { anyPerson } from '@watchword/server-testkit/servers/administration';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import type { Page } from '@watchword/testkit/user-agent';
import { assertErrorPage } from '../support/browser-answers.ts';
import {
  type LogoutClient,
  logIn,
  postLogoutRedirectUri,
  registerLogoutClient,
} from '../support/logout-client.ts';

const most = 16_384;
const settings = {
  authenticator: anyPerson,
  'openid.claims': '{"memberships": "principal.groups"}',
  'openid.claimsInIdToken': 'true',
};
const scope = 'openid profile';
/** Every octet is percent-encoded in an address. */
const longState = '"'.repeat(4096);

describe('an id_token_hint of a user with many groups', () => {
  let server: TestServer;
  let client: LogoutClient;
  before(async () => {
    server = await startServer(settings);
    const groups = Array.from({ length: 370 }, (_, index) => `cn=group-${index},ou=groups,dc=x`);
    const app = await registerLogoutClient(server, { openidScopes: ['profile'] });
    const password = JSON.stringify({ groups });
    client = await logIn(server, app, undefined, { scope }, { password });
  });
  after(() => server[Symbol.asyncDispose]());

  /** The answers to the authorization request by GET, by POST, and by POST from a page of another site. */
  async function authorize(parameters: Record<string, string>): Promise<Page[]> {
    const { agent, app } = client;
    const url = app.authorizeUrl({ scope, nonce: 'n', ...parameters });
    const [endpoint = '', query] = url.split('?');
    const form = Object.fromEntries(new URLSearchParams(query));
    const page = await agent.postFromElsewhere(endpoint, form);
    const repeated = page.status === 200 ? await agent.submit(page, {}) : page;
    return [await agent.get(url), await agent.post(endpoint, form), repeated];
  }

  it('counts apart from the rest of the request, by GET and by POST, also with prompt=none', async () => {
    const id_token_hint = client.idToken;
    assert.ok(id_token_hint.length > 15_000 && id_token_hint.length <= most, String(id_token_hint.length));
    for (const page of await authorize({ id_token_hint, prompt: 'none', state: longState })) {
      const location = page.location ?? assert.fail(page.text);
      const { searchParams } = new URL(location);
      assert.ok(searchParams.has('code'), location);
      assert.equal(searchParams.get('state'), longState);
    }
    for (const page of await authorize({ id_token_hint, prompt: 'login', state: longState })) {
      assert.match(page.html, /name="username"/);
    }
  });

  it('is answered by a page when it has more than 16,384 octets, and makes no room for other parameters', async () => {
    const largest = 'x'.repeat(most);
    for (const page of await authorize({ id_token_hint: largest, prompt: 'none' })) {
      assert.equal(new URL(page.location ?? '').searchParams.get('error'), 'invalid_request');
    }
    for (const page of await authorize({ id_token_hint: `${largest}x`, prompt: 'none' }))
      assertErrorPage(page);
    for (const page of await authorize({ id_token_hint: 'x', x: 'x'.repeat(6000) })) assertErrorPage(page);
  });

  it('ends the session at the logout endpoint, by GET and by POST, beside the largest state', async () => {
    const { agent, idToken: id_token_hint } = client;
    const url = `${server.baseUrl}/oauth2/logout`;
    const form = { id_token_hint, post_logout_redirect_uri: postLogoutRedirectUri, state: longState };
    const posted = await agent.post(url, form);
    assert.match(posted.text, /You are going to/);
    assert.ok(!(await client.isLoggedIn()));
    const { location } = await client.logout(form);
    assert.equal(new URL(location ?? '').searchParams.get('state'), longState);
  });
});
