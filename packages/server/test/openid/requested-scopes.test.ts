import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import {
  type AdministrationServer,
  anyPerson,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { demoResourceServer, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { UserAgent } from '@watchword/testkit/user-agent';
import { logIn, persona, registerOpenidClient, userinfo } from '../support/openid-client.ts';

describe('a request for scopes of OpenID Connect that the client cannot have', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ authenticator: anyPerson });
  });
  after(() => server[Symbol.asyncDispose]());

  it('logs the user in, with every scope of the metadata and names that nobody knows', async () => {
    const app = await registerOpenidClient(server, { openidScopes: ['email'] });
    const { json } = await server.get('/.well-known/openid-configuration');
    const scope = [...json.scopes_supported, 'made-up', 'read'].join(' ');
    const { tokens } = await logIn(server, app, { scope });
    assert.equal(tokens.scope, 'openid email offline_access read');
    assert.deepEqual(Object.keys((await userinfo(server, tokens.access_token)).json).sort(), [
      'email',
      'email_verified',
      'sub',
    ]);
    const refreshed = await app.refresh(tokens.refresh_token, { scope });
    assert.equal(refreshed.json.scope, 'openid email offline_access read');
  });

  it('gets the scopes of an API beside offline_access, which it need not be registered for', async () => {
    const app = await registerApplication(server, { scopes: ['read'] });
    const { parameters } = await app.authorize(
      { scope: 'read offline_access', prompt: 'consent' },
      { password: persona },
    );
    const { json } = await app.redeem(parameters.get('code') ?? '');
    assert.equal(json.scope, 'read offline_access');
    assert.ok(json.refresh_token);
  });

  it('gets an answer with prompt=none', async () => {
    const app = await registerOpenidClient(server, { openidScopes: ['profile'], useRefreshTokens: false });
    const agent = new UserAgent();
    await app.authorize({ scope: 'openid profile' }, { password: persona }, agent);
    const scope = 'openid profile groups phone offline_access made-up';
    const { parameters, location } = await app.authorize({ scope, prompt: 'none' }, {}, agent);
    assert.ok(parameters.get('code'), location);
  });

  it('has in the answer of the implicit grant what was granted', async () => {
    const app = await registerOpenidClient(server, {
      allowedImplicitGrant: true,
      confidential: false,
      openidScopes: ['profile'],
    });
    const request = {
      response_type: 'id_token token',
      nonce: 'n',
      scope: 'openid profile email offline_access x read',
    };
    const { parameters } = await app.authorize(request, { password: persona });
    assert.equal(parameters.get('scope'), 'openid profile read');
  });

  it('gets a token by client credentials without them', async () => {
    const app = await registerApplication(server, { scopes: ['read'], allowedClientCredentials: true });
    const token = (scope: string) =>
      server.post('/oauth2/token', { grant_type: 'client_credentials', scope }, app.credentials);
    assert.equal((await token('read offline_access email')).json.scope, 'read');
    assert.equal((await token('openid profile read')).json.scope, 'read');
    const nothing = await token('offline_access');
    assert.equal(nothing.json.scope, '');
    const info = await server.post(
      '/v1/tokeninfo',
      { access_token: nothing.json.access_token },
      demoResourceServer,
    );
    assert.deepEqual(info.json.scopes, []);
    for (const scope of ['read groups', 'read made-up', 'write', 'openid write']) {
      assert.equal((await token(scope)).json.error, 'invalid_scope', scope);
    }
  });

  it('is refused without openid, if it names what nobody knows, and always for a scope of the API', async () => {
    const app = await registerOpenidClient(server, { scopes: ['read'] });
    const errorFor = async (scope: string) => (await app.authorize({ scope })).parameters.get('error');
    for (const scope of ['read made-up', 'read groups', 'openid write', 'read offline_access write']) {
      assert.equal(await errorFor(scope), 'invalid_scope', scope);
    }
  });
});

describe('the scope groups', () => {
  let server: AdministrationServer;
  before(async () => {
    server = await startAdministration();
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('gives the groups of the user to a client that is registered for it', async () => {
    const app = await registerOpenidClient(server, { openidScopes: ['groups'] });
    const { tokens } = await logIn(server, app, { scope: 'openid groups' });
    assert.equal(tokens.scope, 'openid groups');
    assert.deepEqual((await userinfo(server, tokens.access_token)).json.groups, ['staff']);
    const plain = await logIn(server, app, { scope: 'openid' });
    assert.ok(!('groups' in (await userinfo(server, plain.tokens.access_token)).json));
  });

  it('can be in the registration of a client, and in no new resource server', async () => {
    const root = await server.administrator();
    const api = await root.create('/admin/resourceServer', {
      name: 'Api',
      contactName: 'x',
      scopes: ['read'],
    });
    const client = { clientName: 'Argo', contactName: 'x', redirectUris: ['https://argo.example/cb'] };
    const created = await root.create(`/admin/resourceServer/${api.id}/client`, {
      ...client,
      openidScopes: ['groups', 'offline_access'],
    });
    assert.deepEqual(created.openidScopes, ['groups', 'offline_access']);
    const refused = await root.call('PATCH', `/admin/resourceServer/${api.id}`, {
      scopes: ['read', 'groups'],
    });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /groups.* is a scope of OpenID Connect/);
  });
});
