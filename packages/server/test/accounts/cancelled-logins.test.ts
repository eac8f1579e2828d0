import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';

/** The form of "Cancel". */
function cancelOf(page: Page) {
  return page.forms.find(({ action }) => action.endsWith('/cancel'));
}

/** Submits it as a browser does. */
function cancel(agent: UserAgent, page: Page): Promise<Page> {
  const { action = '', controls = [] } = cancelOf(page) ?? {};
  assert.match(page.text, /Cancel/);
  const fields = Object.fromEntries(controls.map(({ name, value }) => [name, value]));
  return agent.post(action, fields, { origin: new URL(page.url).origin, 'sec-fetch-site': 'same-origin' });
}

function assertDenied(page: Page, redirectUri: string): void {
  const url = new URL(page.location ?? assert.fail(`${page.status} ${page.text}`));
  assert.ok(url.href.startsWith(redirectUri), url.href);
  assert.equal(url.searchParams.get('error'), 'access_denied');
  assert.equal(url.searchParams.get('error_description'), 'The user cancelled the login.');
  assert.equal(url.searchParams.get('state'), 'state-1');
}

describe('"Cancel" on the pages of a login', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({
      authenticators: JSON.stringify(['form', { module: 'noop', as: 'other' }]),
      allowInsecureAuthentication: 'true',
    });
  });
  after(() => server[Symbol.asyncDispose]());

  const open = async (trusted: boolean, agent: UserAgent, parameters: Record<string, string> = {}) => {
    const application = await registerApplication(server);
    const { client } = application;
    await server.service.store.clients.update(client.id, { ...client, trusted });
    await server.service.store.refreshRegistry();
    const [redirectUri = ''] = client.redirectUris;
    return { redirectUri, page: await application.open(parameters, agent) };
  };

  it('answers the client access_denied, from the choice of a login and from the login page', async () => {
    const agent = new UserAgent();
    const { page, redirectUri } = await open(true, agent);
    assert.match(page.text, /How do you want to/);
    assertDenied(await cancel(agent, page), redirectUri);
    const hinted = await open(true, agent, { authenticator_hint: 'form' });
    assertDenied(await cancel(agent, hinted.page), hinted.redirectUri);
  });

  it('answers it from the choice of an account, and the session stays', async () => {
    const agent = new UserAgent();
    const { page } = await open(true, agent, { authenticator_hint: 'form' });
    await agent.submit(page, { username: 'emma', password: '{}' });
    const chosen = await open(true, agent, { prompt: 'select_account' });
    assertDenied(await cancel(agent, chosen.page), chosen.redirectUri);
    assert.match((await agent.get(`${server.service.baseUrl}/account`)).html, /page-account/);
  });

  it('shows a page that names the target of a client that no administrator confirmed, and leads there only by a click', async () => {
    const agent = new UserAgent();
    const { page, redirectUri } = await open(false, agent, { authenticator_hint: 'form' });
    const shown = await cancel(agent, page);
    assert.equal(shown.status, 403);
    assert.equal(shown.location, undefined);
    assert.match(shown.text, new RegExp(new URL(redirectUri).host));
    assert.ok(shown.html.includes('error=access_denied'), shown.html);
  });

  it('is not there where no client asks, and does nothing for another browser', async () => {
    const agent = new UserAgent();
    const account = await agent.get(`${server.service.baseUrl}/account`);
    assert.equal(cancelOf(account), undefined);
    const { page } = await open(true, agent, { authenticator_hint: 'form' });
    assert.equal((await cancel(new UserAgent(), page)).status, 403);
    const other = new UserAgent();
    await open(true, other);
    assert.equal((await cancel(other, page)).status, 400);
  });
});
