import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { assertPageHeaders } from '../../support/browser-answers.ts';

describe('a page of the server', () => {
  let server: TestServer;
  let app: Application;
  const browser = () => new UserAgent({ accept: 'text/html' });
  before(async () => {
    server = await startServer();
    app = await registerApplication(server);
  });
  after(() => server[Symbol.asyncDispose]());

  const url = (path: string) => `${server.baseUrl}${path}`;

  const assertSevered = (page: Page, shows: RegExp, status = 200) => {
    assert.equal(page.status, status, page.text);
    assert.match(page.html, shows);
    assertPageHeaders(page);
  };

  it('has no access to the window that opened it, at login and consent', async () => {
    const agent = browser();
    const login = await app.open({}, agent);
    assertSevered(login, /name="password"/);
    const consent = await agent.submit(login, { username: 'emma', password: 'x' });
    assertSevered(consent, /name="granted_scopes"/);
  });

  it('has none on the account page and at the logout', async () => {
    const agent = browser();
    await app.authorize({}, { username: 'finn', password: 'x' }, agent);
    const account = await agent.get(url('/account'));
    assertSevered(account, /<h1>/);
    const logout = await agent.get(url('/logout'));
    assertSevered(logout, /name="auth_state"/);
    const authState = logout.forms[0]?.controls.find(({ name }) => name === 'auth_state')?.value ?? '';
    assertSevered(await agent.submit(logout, { auth_state: authState }), /signed out/);
  });

  it('has none in the administration GUI, its reference and the start page', async () => {
    for (const path of ['/', '/admin/docs', '/client/client.html']) {
      assertSevered(await browser().get(url(path)), /<!doctype html>/);
    }
  });

  it('has none when a form of another site is posted again', async () => {
    const request = Object.fromEntries(new URL(app.authorizeUrl()).searchParams);
    assertSevered(await browser().post(url('/authorize'), request), /name="client_id"/);
  });

  it('has none when it shows an error', async () => {
    assertSevered(await browser().get(url('/authorize?client_id=unknown')), /<h1>/, 400);
    assertSevered(await browser().get(url('/nothing')), /<h1>/, 404);
    assertSevered(await browser().post(url('/login'), { auth_state: 'x' }), /<h1>/, 403);
    assertSevered(await browser().post(url('/client/client.html'), {}), /<h1>/, 405);
  });
});
