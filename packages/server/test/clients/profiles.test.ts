import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Application,
  codeVerifier,
  pkce,
  redirectUri,
  registerApplication,
} from '@watchword/server-testkit/clients/application';
import { registerResourceServer } from '@watchword/server-testkit/clients/clients';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { demoClient, demoResourceServer } from '@watchword/server-testkit/servers/server';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import * as oauth from 'openid-client';
import { loadConfiguration } from '../../src/config/load.ts';
import type { SettingPath } from '../../src/config/settings.ts';
import { ConfigurationError } from '../../src/configuration-error.ts';

/** Why the newest request of the client was refused, as `watchword explain` has it. */
async function newestRule(root: Administering, { client }: Application): Promise<string> {
  const { json } = await root.get(`/admin/requestError?clientId=${client.clientId}`);
  return json[0]?.rule;
}

async function codeOf(app: Application, asked: Record<string, string>): Promise<string> {
  const { parameters } = await app.authorize(asked, { password: '{}' });
  return parameters.get('code') ?? assert.fail(String(parameters));
}

/** The flow and a refresh by an independent library. */
async function openidClientFlow(
  server: AdministrationServer,
  { client, credentials = '' }: Application,
  more: Record<string, string> = {},
): Promise<oauth.TokenEndpointResponse> {
  const authentication = oauth.ClientSecretBasic(credentials.split(':')[1]);
  const configuration = await oauth.discovery(
    new URL(server.service.baseUrl),
    client.clientId,
    undefined,
    authentication,
    { execute: [oauth.allowInsecureRequests] },
  );
  const verifier = oauth.randomPKCECodeVerifier();
  const url = oauth.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: 'read',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  });
  const { location } = await followFlow(new UserAgent(), url.href, { password: '{}' });
  const checks = { pkceCodeVerifier: verifier };
  const tokens = await oauth.authorizationCodeGrant(configuration, new URL(location), checks, more);
  return oauth.refreshTokenGrant(configuration, tokens.refresh_token ?? '', more);
}

/** Stores what could be registered before the profile. */
async function change(server: AdministrationServer, { client }: Application, fields: object): Promise<void> {
  await server.service.store.clients.update(client.id, fields);
  await server.service.store.refreshRegistry();
}

describe('a server with the profile oauth-2.1', () => {
  let server: AdministrationServer;
  let root: Administering;
  let collection: string;

  before(async () => {
    server = await startAdministration({ profile: 'oauth-2.1', host: 'localhost' });
    root = await server.administrator();
    const { id } = await root.create('/admin/resourceServer', anApi);
    collection = `/admin/resourceServer/${id}/client`;
  });
  after(() => server[Symbol.asyncDispose]());

  it('says in both documents of metadata that it gives codes with S256 alone', async () => {
    for (const path of ['oauth-authorization-server', 'openid-configuration']) {
      const { json } = await server.get(`/.well-known/${path}`);
      assert.deepEqual(json.response_types_supported, ['code']);
      assert.deepEqual(json.code_challenge_methods_supported, ['S256']);
      assert.ok(!json.grant_types_supported.includes('implicit'), String(json.grant_types_supported));
      assert.equal(json.authorization_response_iss_parameter_supported, true);
    }
  });

  it('refuses the hybrid flow of a client from before, in the fragment, and registers none', async () => {
    const app = await registerApplication(server, { allowedHybrid: true });
    const { location, parameters } = await app.authorize({ response_type: 'code id_token', prompt: 'none' });
    assert.ok(location.startsWith(`${redirectUri}#`), location);
    assert.equal(parameters.get('error'), 'unsupported_response_type');
    assert.equal(await newestRule(root, app), 'profile_code_flow');
    const refused = await root.call('POST', collection, {
      ...anApp,
      allowedHybrid: true,
      redirectUris: [redirectUri],
    });
    assert.match(refused.json.violations.join(), /^allowedHybrid: .*profile oauth-2.1, profile_code_flow/);
  });

  it('refuses the implicit grant of a client from before, in the fragment, also without a page in between', async () => {
    const app = await registerApplication(server, { confidential: false, allowedImplicitGrant: true });
    const { location, parameters } = await app.authorize({ response_type: 'token', prompt: 'none' });
    assert.ok(location.startsWith(`${redirectUri}#`), location);
    assert.equal(parameters.get('error'), 'unsupported_response_type');
    assert.match(parameters.get('error_description') ?? '', /response type code alone/);
    assert.equal(await newestRule(root, app), 'profile_code_flow');
  });

  it('asks confidential clients for PKCE too', async () => {
    const app = await registerApplication(server);
    const refused = await app.authorize({ prompt: 'none' });
    assert.equal(refused.parameters.get('error'), 'invalid_request');
    assert.match(refused.parameters.get('error_description') ?? '', /every client must use PKCE/);
    assert.equal(await newestRule(root, app), 'profile_pkce');
    const code = await codeOf(app, pkce);
    assert.equal((await app.redeem(code, { code_verifier: codeVerifier })).status, 200);
  });

  it('sends no answer to a redirect URI from before that is neither https nor loopback', async () => {
    const app = await registerApplication(server);
    await change(server, app, { redirectUris: ['http://app.example/cb'] });
    const page = await app.open({ ...pkce, redirect_uri: 'http://app.example/cb' });
    assert.equal(page.status, 400);
    assert.equal(page.location, undefined);
    assert.equal(await newestRule(root, app), 'profile_redirect_uri');
  });

  it('takes no access token in the query of token info, but in a form', async () => {
    const token = await server.issueToken();
    const authorization = `Basic ${Buffer.from(demoResourceServer).toString('base64')}`;
    const refused = await server.get(`/v1/tokeninfo?access_token=${token}`, { authorization });
    assert.equal(refused.status, 400);
    assert.match(refused.json.error_description, /must not be in the query/);
    assert.equal(
      (await server.post('/v1/tokeninfo', { access_token: token }, demoResourceServer)).status,
      200,
    );
  });

  it('registers no client for the implicit grant', async () => {
    const submitted = { ...anApp, redirectUris: [redirectUri], allowedImplicitGrant: true };
    const { status, json } = await root.call('POST', collection, submitted);
    assert.equal(status, 400);
    assert.match(
      json.violations.join(),
      /^allowedImplicitGrant: .*profile oauth-2\.1, profile_code_flow: OAuth 2\.1/,
    );
  });

  it('changes other fields of a client from before, and mends it', async () => {
    const app = await registerApplication(server, { confidential: false, allowedImplicitGrant: true });
    const path = `/admin/resourceServer/${app.client.resourceServerId}/client/${app.client.id}`;
    const renamed = await root.call('PATCH', path, { clientName: 'Renamed' });
    assert.equal(renamed.status, 200, renamed.text);
    assert.equal(renamed.json.allowedImplicitGrant, true);
    assert.equal((await root.call('PATCH', path, { allowedImplicitGrant: false })).status, 200);
    assert.equal((await root.call('PATCH', path, { allowedImplicitGrant: true })).status, 400);
  });

  it('registers private-use schemes', async () => {
    const submitted = { ...anApp, confidential: false, redirectUris: ['com.example.app:/cb'] };
    assert.equal((await root.call('POST', collection, submitted)).status, 201);
  });

  it('lets openid-client log in', async () => {
    assert.equal((await openidClientFlow(server, await registerApplication(server))).scope, 'read');
  });

  it('has administration pages that get codes', async () => {
    const { clients } = server.service.store;
    const pages = await clients.find('authorization-server-admin-js-client');
    assert.equal(pages?.allowedImplicitGrant, false);
    assert.match(
      (await server.get('/client/client.html')).text,
      /<meta name="watchword-codes" content="true">/,
    );
  });
});

describe('a server with the profile mcp', () => {
  let server: AdministrationServer;
  let root: Administering;
  let app: Application;
  const resource = 'https://mcp.example/';

  before(async () => {
    server = await startAdministration({
      profile: 'mcp',
      host: 'localhost',
      'clients.registration': 'open',
    });
    root = await server.administrator();
    const { resourceServer } = await registerResourceServer(server, 'Files', {
      scopes: ['read', 'write'],
      resources: [resource],
    });
    app = await registerApplication(server, { allowedClientCredentials: true }, resourceServer.key);
  });
  after(() => server[Symbol.asyncDispose]());

  it('asks for a resource in authorization requests and in token requests of every grant', async () => {
    const refused = await app.authorize({ ...pkce, prompt: 'none' });
    assert.equal(refused.parameters.get('error'), 'invalid_target');
    assert.equal(await newestRule(root, app), 'profile_resource');
    const code = await codeOf(app, { ...pkce, resource });
    const form = { code_verifier: codeVerifier };
    for (const left of [{}, { resource: '' }]) {
      const { status, json } = await app.redeem(code, { ...form, ...left });
      assert.deepEqual([status, json.error], [400, 'invalid_target']);
    }
    const issued = await app.redeem(code, { ...form, resource });
    assert.equal(issued.status, 200, issued.text);
    assert.equal((await app.refresh(issued.json.refresh_token)).json.error, 'invalid_target');
    assert.equal((await app.refresh(issued.json.refresh_token, { resource })).status, 200);
    const own = { grant_type: 'client_credentials' };
    assert.equal((await server.post('/oauth2/token', own, app.credentials)).json.error, 'invalid_target');
    assert.equal((await server.post('/oauth2/token', { ...own, resource }, app.credentials)).status, 200);
    assert.equal((await server.post('/oauth2/token', own, demoClient)).json.error, 'invalid_target');
  });

  it('keeps the rules of OAuth 2.1', async () => {
    const { parameters } = await app.authorize({ resource, prompt: 'none' });
    assert.equal(parameters.get('error'), 'invalid_request');
    assert.deepEqual((await server.get('/.well-known/openid-configuration')).json.response_types_supported, [
      'code',
    ]);
  });

  it('sends no answer to a private-use scheme from before, and registers none', async () => {
    const native = await registerApplication(server, {
      confidential: false,
      redirectUris: ['com.example.app:/cb'],
    });
    const page = await native.open({ resource });
    assert.equal(page.status, 400);
    assert.equal(page.location, undefined);
    assert.equal(await newestRule(root, native), 'profile_web_redirect_uri');
    const path = `/admin/resourceServer/${native.client.resourceServerId}/client`;
    const submitted = { ...anApp, confidential: false, redirectUris: ['com.example.app:/cb'] };
    assert.equal((await root.call('POST', path, submitted)).status, 400);
  });

  it('registers no resource server without a URI for those who can add one, and leaves it to them for others', async () => {
    const refused = await root.call('POST', '/admin/resourceServer', anApi);
    assert.equal(refused.status, 400);
    assert.match(refused.json.violations.join(), /^resources: .*profile mcp, profile_resource_uri: MCP/);
    assert.equal(
      (await root.call('POST', '/admin/resourceServer', { ...anApi, resources: ['https://api.example'] }))
        .status,
      201,
    );
    const owner = await server.person('owner');
    assert.equal((await owner.call('POST', '/admin/resourceServer', { ...anApi, name: 'Own' })).status, 201);
  });

  it('lets openid-client log in with a resource, and refuses it without one', async () => {
    const { access_token } = await openidClientFlow(server, app, { resource });
    assert.ok(access_token);
    await assert.rejects(openidClientFlow(server, app), oauth.AuthorizationResponseError);
  });

  it('takes from clients that register themselves what it takes from their owners', async () => {
    const register = (uri: string) =>
      fetch(`${server.baseUrl}/oauth2/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [uri], token_endpoint_auth_method: 'none' }),
      });
    const refused = await register('com.example.tool:/cb');
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /profile_web_redirect_uri/);
    assert.equal((await register('http://127.0.0.1/cb')).status, 201);
  });

  it('says that clients can bring a document', async () => {
    const { json } = await server.get('/.well-known/oauth-authorization-server');
    assert.equal(json.client_id_metadata_document_supported, true);
  });

  it('lets the command line of the administration log in without a resource', async () => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'authorization-server-admin-cli',
      redirect_uri: 'http://127.0.0.1:5000/callback',
      ...pkce,
    });
    const answers = { username: 'root', password: '{"adminPrincipal":true}' };
    const { parameters } = await followFlow(new UserAgent(), `${server.baseUrl}/authorize?${query}`, answers);
    assert.ok(parameters.has('code'), String(parameters));
  });
});

describe('a profile that the settings break', () => {
  const load = (flags: Partial<Record<SettingPath, string>>) =>
    loadConfiguration({ flags, environment: {}, file: undefined });

  it('does not start, and names the setting, the rule and what to do', async () => {
    await assert.rejects(load({ profile: 'mcp', 'clients.metadataDocuments': 'off' }), (error: unknown) => {
      assert.ok(error instanceof ConfigurationError);
      assert.match(error.message, /clients\.metadataDocuments \(--clients-metadata-documents\): is off/);
      assert.match(error.message, /the profile is mcp \(profile_client_documents: MCP .*\)\. Set clients/);
      return true;
    });
    await assert.rejects(load({ profile: 'oauth-2.1', baseUrl: 'http://id.example' }), /profile_https/);
  });

  it('starts where another profile has no such rule', async () => {
    await load({ profile: 'oauth-2.1', 'clients.metadataDocuments': 'off' });
    await load({ baseUrl: 'http://id.example' });
  });
});
