import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Application,
  isActive,
  redirectUri,
  registerApplication,
} from '@watchword/server-testkit/clients/application';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { AuthorizationCode, ClientCredentials } from 'simple-oauth2';

// In `npm test`, openid-client.test.ts has another client of this kind.
describe('simple-oauth2, an independent client library', () => {
  let server: TestServer;
  let app: Application;
  before(async () => {
    server = await startServer();
    app = await registerApplication(server, { expireDuration: 600 });
  });
  after(() => server[Symbol.asyncDispose]());

  const configuration = (id: string, secret: string, authorizationMethod: 'header' | 'body' = 'header') => ({
    client: { id, secret },
    auth: { tokenHost: server.baseUrl, tokenPath: '/oauth2/token', revokePath: '/oauth2/revoke' },
    options: { authorizationMethod },
  });
  const forUsers = (method?: 'header' | 'body') => {
    const { auth, ...rest } = configuration(app.client.clientId, secret(), method);
    return new AuthorizationCode({ ...rest, auth: { ...auth, authorizePath: '/oauth2/authorize' } });
  };
  const secret = () => app.credentials?.split(':')[1] ?? '';

  for (const method of ['header', 'body'] as const) {
    it(`gets, refreshes and revokes tokens of a user, authenticated in the ${method}`, async () => {
      const client = forUsers(method);
      const url = client.authorizeURL({ redirect_uri: redirectUri, scope: ['read', 'write'], state: 'x' });
      const { parameters } = await followFlow(new UserAgent(), url);
      const code = parameters.get('code') ?? '';
      const token = await client.getToken({ code, redirect_uri: redirectUri });
      assert.ok(!token.expired());
      assert.ok(token.expired(601));
      assert.equal(token.token.scope, 'read write');

      const refreshed = await token.refresh({ scope: 'read' });
      assert.equal(refreshed.token.scope, 'read');
      assert.notEqual(refreshed.token.refresh_token, token.token.refresh_token);
      assert.ok(await isActive(server, String(refreshed.token.access_token)));
      await refreshed.revokeAll();
      for (const { access_token } of [token.token, refreshed.token]) {
        assert.ok(!(await isActive(server, String(access_token))));
      }
    });
  }

  it('gets a token of the client itself', async () => {
    const service = await registerClient(server);
    const client = new ClientCredentials(configuration(service.client.clientId, service.secret ?? ''));
    const token = await client.getToken({ scope: 'read' });
    assert.equal(token.token.scope, 'read');
    assert.equal(token.token.token_type, 'bearer');
  });

  it('reads an error of the token endpoint', async () => {
    const client = forUsers();
    await assert.rejects(client.getToken({ code: 'wrong', redirect_uri: redirectUri }), (error) => {
      const { data } = error as { data?: { payload?: { error?: string } } };
      return data?.payload?.error === 'invalid_grant';
    });
  });
});
