import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Application,
  redirectUri,
  registerApplication,
} from '@watchword/server-testkit/clients/application';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { formForClient } from '@watchword/testkit/follow-flow';

const posted = { response_mode: 'form_post' };

describe('response_mode=form_post', () => {
  let server: TestServer;
  let app: Application;
  before(async () => {
    server = await startServer();
    app = await registerApplication(server);
  });
  after(() => server[Symbol.asyncDispose]());

  it('posts the response to the redirect URI, from a page that no cache stores', async () => {
    const state = '"><b>&amp;';
    const { redirect, location, parameters } = await app.authorize({ ...posted, state });
    assert.equal(redirect.status, 200);
    assert.equal(location, redirectUri);
    assert.deepEqual([...parameters.keys()].sort(), ['code', 'iss', 'state']);
    assert.equal(parameters.get('state'), state);
    assert.equal(parameters.get('iss'), server.service.baseUrl);
    assert.equal(redirect.headers.get('cache-control'), 'no-store');
    assert.match(redirect.headers.get('content-security-policy') ?? '', /form-action 'self' https:;/);
    const answer = await app.redeem(parameters.get('code') ?? '');
    assert.equal(answer.status, 200);
  });

  it('posts the errors there too', async () => {
    const denied = await app.authorize({ ...posted, prompt: 'consent' }, { decision: 'deny' });
    assert.equal(denied.parameters.get('error'), 'access_denied');
    assert.equal(denied.parameters.get('state'), 'state-1');
    const page = await app.open({ ...posted, prompt: 'none' });
    const form = formForClient(page);
    assert.equal(form?.action, redirectUri);
    assert.equal(form?.controls.find(({ name }) => name === 'error')?.value, 'login_required');
  });

  it('lets the user post an error before the login to a client that is not trusted', async () => {
    const { client } = app;
    await server.service.store.clients.update(client.id, { ...client, trusted: false });
    await server.service.store.refreshRegistry();
    const page = await app.open({ ...posted, scope: 'admin' });
    assert.equal(page.status, 400);
    const form = formForClient(page);
    assert.equal(form?.action, redirectUri);
    assert.equal(form?.controls.find(({ name }) => name === 'error')?.value, 'invalid_scope');
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /form-action 'self' https:\/\/app\.example;/,
    );
  });
});
