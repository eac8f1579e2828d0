import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { assertErrorPage, assertRedirect } from '../support/browser-answers.ts';

describe('"Not you?" on the consent page', () => {
  let server: TestServer;
  let app: Application;
  before(async () => {
    server = await startServer();
    app = await registerApplication(server);
  });
  after(() => server[Symbol.asyncDispose]());

  const url = (path: string) => `${server.baseUrl}${path}`;
  let users = 0;
  const newUser = () => {
    users += 1;
    return { username: `user-${users}`, password: 'x' };
  };
  const authState = (page: Page) => page.forms[0]?.controls[0]?.value ?? '';
  const consentPage = async (agent: UserAgent, user = newUser()) =>
    agent.submit(await app.open({ state: 'kept' }, agent), user);
  const press = (agent: UserAgent, page: Page) => {
    const [, action = ''] = /formaction="([^"]*)"/.exec(page.html) ?? [];
    return agent.post(new URL(action, page.url).href, { auth_state: authState(page), decision: 'allow' });
  };
  const isLogin = (page: Page) =>
    page.forms.some(({ controls }) => controls.some(({ name }) => name === 'username'));
  const isLoggedIn = async (agent: UserAgent) => !isLogin(await agent.get(url('/account')));

  it('ends the login session and goes back to the login, with the request', async () => {
    const agent = new UserAgent();
    const first = newUser();
    const login = await press(agent, await consentPage(agent, first));
    assert.equal(login.status, 200);
    assert.ok(isLogin(login));
    assert.ok(login.text.includes(app.client.clientName));
    assert.ok(!(await isLoggedIn(agent)));
    const second = newUser();
    const consent = await agent.submit(login, second);
    assert.match(consent.text, new RegExp(`Signed in as ${second.username}`));
    const answered = await agent.submit(consent, { decision: 'allow' });
    assertRedirect(answered);
    const parameters = new URL(answered.location ?? '').searchParams;
    assert.equal(parameters.get('state'), 'kept');
    assert.equal((await app.redeem(parameters.get('code') ?? '')).status, 200);
  });

  // Held by authorization-flow.test.ts of the protocol.
  slowTest('asks no further question of a user who consented before', async () => {
    const settled = newUser();
    const other = new UserAgent();
    await other.submit(await consentPage(other, settled), { decision: 'allow' });
    const agent = new UserAgent();
    assertRedirect(await agent.submit(await press(agent, await consentPage(agent)), settled));
  });

  it('makes every answer on the old page invalid', async () => {
    const agent = new UserAgent();
    const consent = await consentPage(agent);
    const login = await press(agent, consent);
    assert.ok(isLogin(await agent.submit(consent, { decision: 'allow' })));
    await agent.submit(login, newUser());
    const asked = await agent.submit(consent, { decision: 'allow' });
    assert.match(asked.text, new RegExp(`Signed in as user-${users}`));
  });

  // Held by authorization-flow.test.ts of the protocol.
  slowTest('ends no session except that of the user whom the page names', async () => {
    const agent = new UserAgent();
    const consent = await consentPage(agent);
    await agent.submit(await app.open({ prompt: 'login' }, agent), newUser());
    const asked = await press(agent, consent);
    assert.match(asked.text, new RegExp(`Signed in as user-${users}`));
    assert.ok(await isLoggedIn(agent));
  });

  it('cannot be pressed by another site or by another browser', async () => {
    const [agent, other] = [new UserAgent(), new UserAgent()];
    const consent = await consentPage(agent);
    await app.open({}, other);
    assertErrorPage(await agent.post(url('/switch'), {}), 403);
    assertErrorPage(await agent.postFromElsewhere(url('/switch'), { auth_state: authState(consent) }), 403);
    assertErrorPage(await press(other, consent));
    assert.ok(await isLoggedIn(agent));
  });

  it('shows that the page was answered before', async () => {
    const agent = new UserAgent();
    const consent = await consentPage(agent);
    await agent.submit(consent, { decision: 'deny' });
    const answered = await press(agent, consent);
    assertErrorPage(answered);
    assert.match(answered.text, /You have answered already/);
  });

  it('starts a new session where the login has no form', async () => {
    await using noop = await startServer({ authenticator: 'noop' });
    const ofNoop = await registerApplication(noop);
    const agent = new UserAgent();
    const consent = await ofNoop.open({}, agent);
    const sessions = agent.cookies.map(({ value }) => value);
    const again = await agent.post(`${noop.baseUrl}/switch`, { auth_state: authState(consent) });
    assert.match(again.text, /Signed in as noop/);
    assert.notDeepEqual(
      agent.cookies.map(({ value }) => value),
      sessions,
    );
    assertRedirect(await agent.submit(again, { decision: 'allow' }));
  });
});

describe('a page that ends a session or a request', () => {
  it('has a link: from the consent page to the account, from the end of a session to a login', async () => {
    await using server = await startServer({
      baseUrl: 'https://apps.example/sso',
      allowInsecureAuthentication: 'true',
    });
    const app = await registerApplication(server);
    const agent = new UserAgent();
    const consent = await agent.submit(await app.open({}, agent), { username: 'emma', password: 'x' });
    assert.match(
      consent.html,
      /<a href="\/sso\/account" target="_blank" rel="noopener noreferrer">You can remove this/,
    );
    const loggedOut = await agent.submit(await agent.get(`${server.baseUrl}/logout`), {});
    assert.match(loggedOut.text, /You are signed out/);
    assert.match(loggedOut.html, /<a class="button" href="\/sso\/account">Sign in again<\/a>/);
  });
});
