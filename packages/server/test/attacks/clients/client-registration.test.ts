import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { initialTokenAdministration, systemCaller } from '@watchword/administration';
import { codeVerifier, pkce } from '@watchword/server-testkit/clients/application';
import { type DocumentSite, startDocumentSite } from '@watchword/server-testkit/clients/document-site';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { systemClock, systemRandom } from '../../../src/system.ts';

const redirectUri = 'https://tool.example/cb';
const tool = { client_name: 'Tool', redirect_uris: [redirectUri] };

describe('attacks on the registration of clients', () => {
  let server: TestServer;
  let site: DocumentSite;
  let initial: string;
  before(async () => {
    site = await startDocumentSite();
    server = await startServer({
      'clients.registration': 'tokens',
      'authorization.requestUris': 'true',
      'outbound.privateHosts': site.host,
    });
    const { store } = server.service;
    const tokens = initialTokenAdministration({ ...store, clock: systemClock, random: systemRandom });
    initial = (await tokens.create(systemCaller, { note: '', lifetime: 0, maxClients: 0 }, [])).value;
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  const send = async (method: string, path: string, token: string | undefined, body?: unknown) => {
    const answer = await fetch(`${server.baseUrl}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, json: text === '' ? {} : JSON.parse(text) };
  };
  const register = async (body: unknown = tool) =>
    (await send('POST', '/oauth2/register', initial, body)).json;

  it('need the token of an administrator, in the header alone', async () => {
    const { json: issued } = await server.post(
      '/oauth2/token',
      { grant_type: 'client_credentials' },
      'demo-service:demo-service-secret',
    );
    const wrong = [issued.access_token, `${initial}A`, initial.replace('wwt_', 'wwg_'), 'wwt_'];
    for (const token of wrong) {
      const refused = await send('POST', '/oauth2/register', token, tool);
      assert.deepEqual([refused.status, refused.json.error], [401, 'invalid_token'], token);
      assert.ok(!JSON.stringify(refused.json).includes(token));
    }
    const none = await send('POST', `/oauth2/register?access_token=${initial}`, undefined, tool);
    assert.equal(none.status, 401);
    assert.match(none.headers.get('www-authenticate') ?? '', /^Bearer/);
  });

  it('find no registration of another client by a token of its own, and no registered client of a record owner', async () => {
    const [own, other] = [await register(), await register()];
    const token = own.registration_access_token;
    for (const clientId of [other.client_id, 'demo-service', 'authorization-server-admin-js-client']) {
      const path = `/oauth2/register/${clientId}`;
      assert.equal((await send('GET', path, token)).status, 401, clientId);
      const change = { ...tool, client_id: clientId, redirect_uris: ['https://evil.example/cb'] };
      assert.equal((await send('PUT', path, token, change)).status, 401, clientId);
      assert.equal((await send('DELETE', path, token)).status, 401, clientId);
    }
    const { json } = await send(
      'GET',
      `/oauth2/register/${other.client_id}`,
      other.registration_access_token,
    );
    assert.deepEqual(json.redirect_uris, [redirectUri]);
  });

  it('do not lower the authentication of a client, by its registration or by a request', async () => {
    const client = await register({ ...tool, token_endpoint_auth_method: 'client_secret_post' });
    const { client_id, client_secret, registration_access_token: token } = client;
    const lowered = { ...tool, client_id, token_endpoint_auth_method: 'none' };
    const changed = await send('PUT', `/oauth2/register/${client_id}`, token, lowered);
    assert.deepEqual([changed.status, changed.json.error], [400, 'invalid_client_metadata']);
    const grant = { grant_type: 'authorization_code', code: 'x', redirect_uri: redirectUri };
    const alone = await server.post('/oauth2/token', { ...grant, client_id });
    assert.equal(alone.json.error, 'invalid_client');
    const basic = await server.post('/oauth2/token', grant, `${client_id}:${client_secret}`);
    assert.equal(basic.json.error, 'invalid_client');
    const posted = await server.post('/oauth2/token', { ...grant, client_id, client_secret });
    assert.equal(posted.json.error, 'invalid_grant');
  });

  it('fetch no request object from a private host that the operator permits to record owners', async () => {
    const uri = site.answer('/internal', (_request, response) => response.end('an object'));
    const { client_id } = await register({ ...tool, request_uris: [uri] });
    const request = { response_type: 'code', client_id, redirect_uri: redirectUri, request_uri: uri };
    await new UserAgent().get(`${server.baseUrl}/authorize?${new URLSearchParams(request)}`);
    assert.equal(site.asked('/internal'), 0);
  });

  it('take no client_id, no trust, no grant and no scope that is not open', async () => {
    const { client_id, scope, grant_types, ...others } = await register({
      ...tool,
      client_id: 'demo-service',
      client_secret: 'chosen',
      trusted: true,
      skipConsent: true,
      scope: 'openid email groups read write',
      grant_types: ['authorization_code', 'client_credentials', 'password'],
      scopes: ['read'],
    });
    assert.match(client_id, /^registered\./);
    assert.deepEqual([scope, grant_types], ['openid', ['authorization_code']]);
    assert.notEqual(others.client_secret, 'chosen');
    const form = { grant_type: 'client_credentials' };
    const alone = await server.post('/oauth2/token', form, `${client_id}:${others.client_secret}`);
    assert.equal(alone.json.error, 'unauthorized_client');
  });

  it('imitate no application that users know: each is asked, with the host, and sees no hidden character', async () => {
    const { client_id, client_secret } = await register({
      ...tool,
      client_name: `Your bank\u202e (bank.example)\u200b ${'x'.repeat(3000)}`,
    });
    const { store } = server.service;
    const client = (await store.clients.find(client_id)) ?? assert.fail();
    await store.transact(({ clients }) => clients.update(client.id, { skipConsent: true, trusted: true }));
    await store.refreshRegistry();
    const parameters = {
      response_type: 'code',
      client_id,
      redirect_uri: redirectUri,
      scope: 'openid',
      ...pkce,
    };
    const url = `${server.baseUrl}/authorize?${new URLSearchParams(parameters)}`;
    const agent = new UserAgent();
    for (const _ of [1, 2]) {
      const { pages, parameters: answer } = await followFlow(agent, url);
      const asked = pages.find(({ forms }) =>
        forms.some(({ controls }) => controls.some(({ name }) => name === 'decision')),
      );
      const text = asked?.text ?? assert.fail('consent was skipped');
      assert.match(text, /tool\.example/);
      assert.doesNotMatch(text, /[\u202e\u200b]|bank\.example\)/);
      const { status } = await server.post(
        '/oauth2/token',
        {
          ...{ grant_type: 'authorization_code', code: answer.get('code') ?? '', redirect_uri: redirectUri },
          code_verifier: codeVerifier,
        },
        `${client_id}:${client_secret}`,
      );
      assert.equal(status, 200);
    }
  });
});
