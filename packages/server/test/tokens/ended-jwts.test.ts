import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { registerResourceServer } from '@watchword/server-testkit/clients/clients';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { UserAgent, withdrawalPage } from '@watchword/testkit/user-agent';

const settings = { 'signing.algorithms': 'ES256', 'refresh.graceSeconds': '0' };

/** An API with JWTs and an application of it. */
async function jwtApi(server: TestServer) {
  const api = await registerResourceServer(server, 'Orders API', { accessTokenFormat: 'jwt' });
  const app = await registerApplication(server, { expireDuration: 600 }, api.resourceServer.key);
  return { app, credentials: api.credentials };
}

async function codeOf(app: Application, agent?: UserAgent): Promise<string> {
  const { parameters, location } = await app.authorize({}, {}, agent);
  return parameters.get('code') ?? assert.fail(location);
}

/** The answer of token info and whether introspection calls the token active, which agree. */
async function isActive(server: TestServer, token: string, credentials: string): Promise<boolean> {
  const { status } = await server.post('/v1/tokeninfo', { access_token: token }, credentials);
  const { json } = await server.post('/oauth2/introspect', { token }, credentials);
  assert.equal(status === 200, json.active);
  return status === 200;
}

describe('a JWT access token is refused', () => {
  let server: TestServer;
  let app: Application;
  let credentials: string;
  before(async () => {
    server = await startServer(settings);
    ({ app, credentials } = await jwtApi(server));
  });
  after(() => server[Symbol.asyncDispose]());

  it('after the user has withdrawn access at /account', async () => {
    const agent = new UserAgent();
    const { json } = await app.redeem(await codeOf(app, agent));
    assert.ok(await isActive(server, json.access_token, credentials));
    const page = await agent.submit(await withdrawalPage(agent, server.baseUrl), {});
    assert.match(page.text, /No application has access/);
    assert.ok(!(await isActive(server, json.access_token, credentials)));
  });

  it('after its code has been redeemed twice, and its refresh token is not accepted', async () => {
    const code = await codeOf(app);
    const { access_token, refresh_token } = (await app.redeem(code)).json;
    assert.ok(await isActive(server, access_token, credentials));
    assert.equal((await app.redeem(code)).json.error, 'invalid_grant');
    assert.ok(!(await isActive(server, access_token, credentials)));
    assert.equal((await app.refresh(refresh_token)).json.error, 'invalid_grant');
  });

  it('after a refresh token of its family has been used twice', async () => {
    const first = (await app.redeem(await codeOf(app))).json;
    const second = (await app.refresh(first.refresh_token)).json;
    assert.ok(await isActive(server, second.access_token, credentials));
    assert.equal((await app.refresh(first.refresh_token)).json.error, 'invalid_grant');
    assert.ok(!(await isActive(server, second.access_token, credentials)));
  });

  it('while the configuration lacks the identity provider of the user', async () => {
    await using directory = await temporaryDirectory();
    const start = (authenticator: string) =>
      startServer({
        ...settings,
        authenticator,
        database: directory.file('x.db'),
        baseUrl: 'http://localhost:8080',
      });
    let [token, credentials] = ['', ''];
    {
      await using server = await start('form');
      const registered = await jwtApi(server);
      credentials = registered.credentials;
      token = (await registered.app.redeem(await codeOf(registered.app))).json.access_token;
      assert.ok(await isActive(server, token, credentials));
    }
    {
      await using server = await start('password');
      assert.ok(!(await isActive(server, token, credentials)));
    }
    await using server = await start('form');
    assert.ok(await isActive(server, token, credentials));
  });
});
