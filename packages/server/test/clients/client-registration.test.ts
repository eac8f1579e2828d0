import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openClientsKey, withChangedSecret } from '@watchword/protocol';
import { codeVerifier, pkce } from '@watchword/server-testkit/clients/application';
import { registerResourceServer } from '@watchword/server-testkit/clients/clients';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import * as oauth from 'openid-client';

const redirectUri = 'http://127.0.0.1:4711/callback';
const tool = {
  client_name: 'Tool',
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
};

describe('dynamic registration of clients (RFC 7591, RFC 7592)', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({
      'clients.registration': 'open',
      'outbound.privateHosts': 'localhost',
      trustedProxies: '127.0.0.1',
    });
  });
  after(() => server[Symbol.asyncDispose]());

  let networks = 0;
  /** The pace is for each network. */
  const ownNetwork = () => {
    networks += 1;
    return `198.51.100.${networks}`;
  };
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    { token, source = ownNetwork() }: { token?: string; source?: string } = {},
  ) => {
    const answer = await fetch(`${server.baseUrl}${path}`, {
      method,
      headers: {
        'x-forwarded-for': source,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { answer, status: answer.status, json: text === '' ? {} : JSON.parse(text) };
  };
  const register = (body: unknown, source?: string) =>
    send('POST', '/oauth2/register', body, source === undefined ? {} : { source });
  const authorize = (clientId: string, more: Readonly<Record<string, string>> = {}) =>
    `${server.baseUrl}/authorize?${new URLSearchParams({
      ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, state: 's' },
      ...{ scope: 'openid profile offline_access', ...pkce, ...more },
    })}`;
  const redeem = (client_id: string, code: string) =>
    server.post('/oauth2/token', {
      ...{ grant_type: 'authorization_code', client_id, code, redirect_uri: redirectUri },
      code_verifier: codeVerifier,
    });

  it('answers all that is registered, with the defaults, and is named in the metadata', async () => {
    const { json: metadata } = await server.get('/.well-known/oauth-authorization-server');
    assert.equal(metadata.registration_endpoint, `${server.service.baseUrl}/oauth2/register`);
    const { status, json, answer } = await register({
      redirect_uris: ['https://app.example/cb'],
      client_name: 'App',
      logo_uri: 'https://app.example/logo.png',
      policy_uri: 'https://app.example/privacy',
      tos_uri: 'https://elsewhere.example/terms',
      response_types: ['code', 'code id_token'],
      made_up: { nested: [1] },
    });
    assert.equal(status, 201);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    const { client_id, client_secret, client_id_issued_at, registration_access_token, ...others } = json;
    assert.match(client_id, /^registered\./);
    assert.match(client_secret, /^wws_/);
    assert.match(registration_access_token, /^wwg_/);
    assert.ok(Math.abs(client_id_issued_at - Date.now() / 1000) < 60);
    assert.deepEqual(others, {
      redirect_uris: ['https://app.example/cb'],
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'implicit'],
      response_types: ['code', 'code id_token', 'code token', 'code id_token token'],
      client_name: 'App',
      logo_uri: 'https://app.example/logo.png',
      policy_uri: 'https://app.example/privacy',
      scope: 'openid profile',
      application_type: 'web',
      subject_type: 'public',
      id_token_signed_response_alg: 'RS256',
      client_secret_expires_at: 0,
      registration_client_uri: `${server.service.baseUrl}/oauth2/register/${client_id}`,
    });
  });

  it('lets the client log users in, who are asked each time and told that nobody answers for it', async () => {
    // An address that no response goes to must not take the warning away.
    const { json: client } = await register({
      ...tool,
      redirect_uris: [redirectUri, 'https://tool.example/'],
    });
    const agent = new UserAgent();
    for (const round of [1, 2]) {
      const { parameters, pages } = await followFlow(agent, authorize(client.client_id));
      const consent = pages.find(({ text }) => text.includes('It registered itself'));
      assert.ok(consent, `no consent was asked in round ${round}`);
      assert.match(consent.text, /Tool \(127\.0\.0\.1, tool\.example\)/);
      assert.match(consent.text, /Any program on your device can take its place/);
      const { json } = await redeem(client.client_id, parameters.get('code') ?? '');
      assert.equal(json.scope, 'openid profile offline_access');
      assert.ok(json.refresh_token);
    }
  });

  it('reads no sector of a private network, also not of a host that the operator named for others', async () => {
    const sector = { subject_type: 'pairwise', sector_identifier_uri: 'https://localhost:1/list' };
    const { status, json } = await register({ ...tool, ...sector });
    assert.deepEqual([status, json.error], [400, 'invalid_client_metadata']);
    assert.match(json.error_description, /sector_identifier_uri: has a host without a public address/);
  });

  it('links pages of its own hosts alone on its consent page, until an administrator confirms it', async () => {
    const pages = { policy_uri: 'https://tool.example/privacy', tos_uri: 'https://tool.example/terms' };
    const { json } = await register({
      ...tool,
      ...pages,
      redirect_uris: [redirectUri, 'https://tool.example/'],
    });
    const shown = async () => {
      const { pages } = await followFlow(new UserAgent(), authorize(json.client_id, { prompt: 'consent' }));
      return ['Privacy policy', 'Terms of service'].filter((link) =>
        pages.some(({ text }) => text.includes(link)),
      );
    };
    assert.deepEqual(await shown(), ['Privacy policy', 'Terms of service']);
    const { clients, refreshRegistry } = server.service.store;
    const registered = (await clients.find(json.client_id)) ?? assert.fail();
    const elsewhere = { ...registered, redirectUris: [redirectUri] };
    await clients.update(registered.id, elsewhere);
    await refreshRegistry();
    assert.deepEqual(await shown(), []);
    await clients.update(registered.id, { ...elsewhere, trusted: true });
    await refreshRegistry();
    assert.deepEqual(await shown(), ['Privacy policy', 'Terms of service']);
  });

  it('gives OpenID scopes alone without resource, and with it the open scopes of APIs that are open to everyone', async () => {
    const uri = 'https://notes.example/mcp';
    const opened = { openToClients: 'everyone', openScopes: ['notes:read'], resources: [uri] } as const;
    await registerResourceServer(server, 'Notes', { scopes: ['notes:read', 'notes:write'], ...opened });
    const { json: client } = await register({ ...tool, scope: 'notes:read' });
    assert.equal(client.scope, 'openid offline_access');
    for (const [asked, error] of [
      [{ scope: 'notes:read' }, /invalid_target/],
      [{ scope: 'notes:write', resource: uri }, /invalid_scope/],
    ] as const) {
      const page = await new UserAgent().get(authorize(client.client_id, asked));
      assert.match(page.text, error);
    }
    const asked = authorize(client.client_id, { scope: 'notes:read', resource: uri });
    const { parameters } = await followFlow(new UserAgent(), asked);
    const { json } = await redeem(client.client_id, parameters.get('code') ?? '');
    assert.equal(json.scope, 'notes:read');
    const alone = { grant_type: 'client_credentials', client_id: client.client_id, resource: uri };
    assert.equal((await server.post('/oauth2/token', alone)).status, 400);
  });

  it('lets the client read, replace and delete its registration by its own token', async () => {
    const { json: client } = await register(tool);
    const { registration_access_token: token, client_id } = client;
    const path = `/oauth2/register/${client_id}`;
    assert.deepEqual((await send('GET', path, undefined, { token })).json, client);
    const document = { ...tool, client_id, client_name: 'Better tool' };
    const { status, json } = await send('PUT', path, document, { token });
    assert.deepEqual([status, json.client_name, json.client_secret], [200, 'Better tool', undefined]);
    assert.deepEqual((await send('GET', path, undefined, { token })).json, json);
    const { parameters } = await followFlow(new UserAgent(), authorize(client_id));
    const { access_token, refresh_token } = (await redeem(client_id, parameters.get('code') ?? '')).json;
    assert.equal((await send('DELETE', path, undefined, { token })).status, 204);
    assert.equal((await send('GET', path, undefined, { token })).status, 401);
    const refresh = { grant_type: 'refresh_token', client_id, refresh_token };
    assert.equal((await server.post('/oauth2/token', refresh)).status, 401);
    const userinfo = await server.get('/oauth2/userinfo', { authorization: `Bearer ${access_token}` });
    assert.equal(userinfo.status, 401);
  });

  it('says when the secret ends that an administrator gave an end', async () => {
    const { json } = await register({ ...tool, token_endpoint_auth_method: 'client_secret_basic' });
    const own = { token: json.registration_access_token };
    const read = async () => (await send('GET', `/oauth2/register/${json.client_id}`, undefined, own)).json;
    assert.equal((await read()).client_secret_expires_at, undefined);
    const { clients, ...store } = server.service.store;
    const client = await clients.find(json.client_id);
    assert.ok(client?.secret);
    const expires = 4_000_000_000_500;
    await clients.replaceSecret(client.id, withChangedSecret(client.secret, 1, { description: '', expires }));
    await store.refreshRegistry();
    const { client_secret, client_secret_expires_at: end } = await read();
    assert.deepEqual([client_secret, end], [undefined, 4_000_000_000]);
  });

  it('is used by openid-client as it is, with a secret and without', async () => {
    for (const [method, authentication] of [
      ['client_secret_basic', (secret: string) => oauth.ClientSecretBasic(secret)],
      ['client_secret_post', (secret: string) => oauth.ClientSecretPost(secret)],
      ['none', () => oauth.None()],
    ] as const) {
      const metadata = { ...tool, token_endpoint_auth_method: method };
      const url = new URL(server.service.baseUrl);
      const registered = await oauth.dynamicClientRegistration(url, metadata, undefined, {
        execute: [oauth.allowInsecureRequests],
      });
      const { client_id, client_secret = '' } = registered.clientMetadata();
      const configuration = await oauth.discovery(
        url,
        client_id,
        registered.clientMetadata(),
        authentication(String(client_secret)),
        { execute: [oauth.allowInsecureRequests] },
      );
      const [pkceCodeVerifier, expectedState] = [oauth.randomPKCECodeVerifier(), oauth.randomState()];
      const address = oauth.buildAuthorizationUrl(configuration, {
        ...{ redirect_uri: redirectUri, scope: 'openid profile', state: expectedState },
        code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      });
      const { location } = await followFlow(new UserAgent(), address.href);
      const tokens = await oauth.authorizationCodeGrant(configuration, new URL(location), {
        ...{ pkceCodeVerifier, expectedState },
      });
      assert.equal(tokens.claims()?.aud, client_id, method);
    }
  });

  it('refuses what cannot be used by the errors of RFC 7591, and large, wrong and foreign bodies', async () => {
    for (const [body, status, error] of [
      [{}, 400, 'invalid_redirect_uri'],
      [{ ...tool, redirect_uris: ['http://app.example/'] }, 400, 'invalid_redirect_uri'],
      [{ ...tool, token_endpoint_auth_method: 'private_key_jwt' }, 400, 'invalid_client_metadata'],
      [{ ...tool, require_signed_request_object: true }, 400, 'invalid_client_metadata'],
      ['[]', 400, 'invalid_client_metadata'],
      ['{', 400, 'invalid_request'],
      ['['.repeat(30_000), 400, 'invalid_request'],
      ['x'.repeat(70_000), 413, 'invalid_request'],
    ] as const) {
      const { json, ...found } = await register(body);
      assert.deepEqual([found.status, json.error], [status, error], JSON.stringify(body).slice(0, 60));
    }
    const form = await server.post('/oauth2/register', { redirect_uris: redirectUri });
    assert.equal(form.status, 415);
    const twice = `{"redirect_uris":["https://evil.example/"],"redirect_uris":["${redirectUri}"]}`;
    assert.deepEqual((await register(twice)).json.redirect_uris, [redirectUri]);
    const prototype = `{"__proto__":{"redirect_uris":["${redirectUri}"]}}`;
    assert.equal((await register(prototype)).json.error, 'invalid_redirect_uri');
  });

  it('takes no more than twenty at once from one network, and then one a minute', async () => {
    const source = '2001:db8::1';
    const answers = await Promise.all(
      Array.from({ length: 21 }, (_, index) => register({}, `2001:db8::${index + 1}`)),
    );
    const refused = answers.filter(({ status }) => status === 429);
    assert.equal(refused.length, 1, 'one network is a /64');
    assert.match(refused[0]?.answer.headers.get('retry-after') ?? '', /^(?:[1-9]|[1-5]\d|60)$/);
    assert.equal((await register(tool, source)).status, 429);
    assert.equal((await register(tool)).status, 201);
  });

  it('takes no more changes than registrations, because the audit log keeps each', async () => {
    const source = ownNetwork();
    const changes = await Promise.all(
      Array.from({ length: 21 }, () => send('PUT', '/oauth2/register/registered.x', tool, { source })),
    );
    const statuses = changes.map(({ status }) => status).toSorted();
    assert.deepEqual([statuses[0], statuses[19], statuses[20]], [401, 401, 429]);
    assert.equal((await register(tool, source)).status, 201);
  });

  it('is not there unless it is switched on', async () => {
    await using off = await startServer();
    const { json } = await off.get('/.well-known/oauth-authorization-server');
    assert.equal(json.registration_endpoint, undefined);
    const { status } = await fetch(`${off.baseUrl}/oauth2/register`, { method: 'POST' });
    assert.equal(status, 404);
    assert.equal(await off.service.store.resourceServers.find(openClientsKey), undefined);
  });
});
