import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Application,
  type RequestParameters,
  registerApplication,
} from '@watchword/server-testkit/clients/application';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { answeredBy } from '@watchword/testkit/follow-flow';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';

describe('the consent to requests of OpenID Connect', () => {
  let server: TestServer;
  let app: Application;
  before(async () => {
    server = await startServer();
    app = await registerApplication(server, {
      clientName: 'Photo Printer',
      openidScopes: ['profile', 'email', 'address', 'phone', 'groups'],
    });
  });
  after(() => server[Symbol.asyncDispose]());

  /** A new user logs in, up to the consent page. */
  async function consentPage(parameters: RequestParameters, agent = new UserAgent()): Promise<Page> {
    const login = await app.open(parameters, agent);
    return agent.submit(login, { username: `user-${Math.random()}`, password: 'x' });
  }

  const boxesOf = ({ forms }: Page) =>
    forms
      .flatMap(({ controls }) => controls)
      .flatMap(({ name, value }) => (name === 'granted_scopes' ? [value] : []));

  it('is asked in plain words, with a box for each scope but the login', async () => {
    const page = await consentPage({
      scope: 'openid profile email address phone offline_access groups read',
    });
    assert.deepEqual(boxesOf(page), [
      'profile',
      'email',
      'address',
      'phone',
      'offline_access',
      'groups',
      'read',
    ]);
    for (const words of [
      'Sign you in, and recognize you next time',
      'See your profile: your name',
      'See your e-mail address',
      'See your postal address',
      'See your phone number',
      'Keep this access while you are away, until you withdraw it',
      'See the groups you are in',
    ]) {
      assert.ok(page.text.includes(words), `${words}: ${page.text}`);
    }
    assert.match(page.text, /Allow . ?Photo Printer/);
  });

  it('is asked in the language of the user', async () => {
    for (const [language, words] of [
      ['nl', 'Je e-mailadres zien'],
      ['de', 'Ihre E-Mail-Adresse sehen'],
    ] as const) {
      const page = await consentPage({ scope: 'openid email', ui_locales: language });
      assert.ok(page.text.includes(words), page.text);
    }
  });

  it('names no resource server when the client only logs users in', async () => {
    const agent = new UserAgent();
    const login = await app.open({ scope: 'openid' }, agent);
    assert.doesNotMatch(login.text, /would like to use/);
    const page = await agent.submit(login, { username: 'login-only', password: 'x' });
    assert.match(page.text, /Sign in to . ?Photo Printer/);
    assert.doesNotMatch(page.text, /Demo/);
    assert.deepEqual(boxesOf(page), []);
    const answer = await agent.submit(page, { decision: 'allow' });
    assert.ok(answeredBy(answer.location ?? '').has('code'));
    const account = await agent.get(`${server.baseUrl}/account`);
    assert.match(account.text, /Photo Printer What it may do: Sign you in, and recognize you next time/);
  });

  it('gives the client the login and what the user left ticked', async () => {
    const agent = new UserAgent();
    const page = await consentPage({ scope: 'openid profile email read' }, agent);
    const answer = await agent.submit(page, { decision: 'allow', granted_scopes: ['email'] });
    const { json } = await app.redeem(answeredBy(answer.location ?? '').get('code') ?? '');
    assert.equal(json.scope, 'openid email');
    assert.equal(typeof json.id_token, 'string');
  });

  it('can be the login alone, with every box cleared', async () => {
    const agent = new UserAgent();
    const page = await consentPage({ scope: 'openid profile read' }, agent);
    const answer = await agent.submit(page, { decision: 'allow', granted_scopes: [] });
    const { json } = await app.redeem(answeredBy(answer.location ?? '').get('code') ?? '');
    assert.equal(json.scope, 'openid');
  });

  it('is asked in the words of the scope for a claim that the client requests by its name', async () => {
    const claims = JSON.stringify({ userinfo: { email: { essential: true } } });
    const agent = new UserAgent();
    const page = await consentPage({ scope: 'openid', claims }, agent);
    assert.deepEqual(boxesOf(page), ['email']);
    const answer = await agent.submit(page, { decision: 'allow' });
    const { json } = await app.redeem(answeredBy(answer.location ?? '').get('code') ?? '');
    assert.equal(json.scope, 'openid');
  });

  it('is remembered, so that prompt=none gets an answer, but not for more than was asked', async () => {
    const agent = new UserAgent();
    const page = await consentPage({ scope: 'openid profile' }, agent);
    await agent.submit(page, { decision: 'allow' });
    const none = async (scope: string) => {
      const { location = '' } = await app.open({ scope, prompt: 'none' }, agent);
      return answeredBy(location).get('error');
    };
    assert.equal(await none('openid profile'), null);
    assert.equal(await none('openid profile offline_access'), 'consent_required');
  });
});
