import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { demoResourceServer, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';

const authorizePath = '/authorize?response_type=code&client_id=demo-app';
const app = 'demo-app:demo-app-client-secret';

/** Servers one after the other on one database, each with another authenticator. */
async function oneDatabase() {
  const directory = await temporaryDirectory();
  return {
    start: (authenticator: string) =>
      startServer({ database: directory.file('x.db'), baseUrl: 'http://localhost:8080', authenticator }),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

async function signIn(server: TestServer, agent: UserAgent) {
  const { parameters } = await followFlow(agent, `${server.baseUrl}${authorizePath}`);
  const code = parameters.get('code') ?? '';
  return (await server.post('/oauth2/token', { grant_type: 'authorization_code', code }, app)).json;
}

const refresh = (server: TestServer, refresh_token: string) =>
  server.post('/oauth2/token', { grant_type: 'refresh_token', refresh_token }, app);

const tokenInfo = (server: TestServer, access_token: string) =>
  server.post('/v1/tokeninfo', { access_token }, demoResourceServer);

/** Whether the account page opens without a login. */
async function isSignedIn(server: TestServer, agent: UserAgent): Promise<boolean> {
  return /Applications with access/.test((await agent.get(`${server.baseUrl}/account`)).html);
}

describe('a server with another authenticator than before', () => {
  it('rejects tokens and sessions of the old users, and accepts them when the authenticator is switched back', async () => {
    await using database = await oneDatabase();
    const agent = new UserAgent();
    let server = await database.start('form');
    const tokens = await signIn(server, agent);
    assert.ok(await isSignedIn(server, agent));
    await server[Symbol.asyncDispose]();

    server = await database.start('password');
    assert.equal((await tokenInfo(server, tokens.access_token)).status, 404);
    assert.equal((await refresh(server, tokens.refresh_token)).json.error, 'invalid_grant');
    assert.ok(!(await isSignedIn(server, agent)));
    await server[Symbol.asyncDispose]();

    server = await database.start('form');
    assert.equal((await tokenInfo(server, tokens.access_token)).json.principal.name, 'emma');
    assert.ok(await isSignedIn(server, agent));
    assert.equal((await refresh(server, tokens.refresh_token)).status, 200);
    await server[Symbol.asyncDispose]();
  });

  it('accepts no administrator of the authenticator before', async () => {
    await using database = await oneDatabase();
    const query = new URLSearchParams({
      response_type: 'token',
      client_id: 'authorization-server-admin-js-client',
      redirect_uri: 'http://localhost:8080/client/client.html',
    });
    const list = (server: TestServer, token: string) =>
      server.get('/admin/resourceServer', { authorization: `Bearer ${token}` });
    let server = await database.start('noop-admin');
    const { parameters } = await followFlow(new UserAgent(), `${server.baseUrl}/authorize?${query}`);
    const token = parameters.get('access_token') ?? '';
    assert.equal((await list(server, token)).json.length, 2);
    await server[Symbol.asyncDispose]();

    server = await database.start('noop');
    assert.equal((await list(server, token)).json.error, 'invalid_token');
    await server[Symbol.asyncDispose]();
  });
});
