import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Application,
  redirectUri,
  registerApplication,
} from '@watchword/server-testkit/clients/application';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import {
  assertErrorPage,
  assertPageHeaders,
  assertRedirect,
  assertRedirectedError,
} from '../../support/browser-answers.ts';

/** A browser without a header for the origin of a request. */
const older = {};

describe('an authorization request that another site posts', () => {
  let server: TestServer;
  let app: Application;
  before(async () => {
    server = await startServer();
    app = await registerApplication(server);
  });
  after(() => server[Symbol.asyncDispose]());

  const url = (path = '/authorize') => `${server.baseUrl}${path}`;
  const request = (parameters: Record<string, string> = {}) => ({
    ...Object.fromEntries(new URL(app.authorizeUrl()).searchParams),
    ...parameters,
  });
  const cookies = (agent: UserAgent) => agent.cookies.map(({ name, value }) => `${name}=${value}`);
  const fields = (page: Page) => page.forms[0]?.controls.map(({ name, value }) => [name, value]);
  let users = 0;
  const newUser = () => {
    users += 1;
    return { username: `poster-${users}`, password: 'x' };
  };

  for (const [browser, headers] of [
    ['a browser of today', undefined],
    ['an older browser', older],
  ] as const) {
    it(`leaves ${browser} its login session and every open page, and gets single sign-on`, async () => {
      const agent = new UserAgent();
      const user = newUser();
      const first = await agent.submit(await app.open({}, agent), user);
      await agent.submit(first, { decision: 'allow' });
      const openConsent = await app.open({ prompt: 'consent' }, agent);
      const openLogin = await app.open({ prompt: 'login' }, agent);
      const before = cookies(agent);

      const posted = await agent.postFromElsewhere(url(), request({ state: 'posted' }), headers);
      assert.equal(posted.status, 200, posted.text);
      assertPageHeaders(posted);
      assert.deepEqual(
        cookies(agent).filter((cookie) => !cookie.includes('_probe')),
        before,
      );
      const answered = await agent.submit(posted, {});
      assertRedirect(answered);
      assert.equal(new URL(answered.location ?? '').searchParams.get('state'), 'posted');
      assert.match((await agent.get(url('/account'))).text, new RegExp(user.username));
      assertRedirect(await agent.submit(openConsent, { decision: 'allow' }));
      assertRedirect(await agent.submit(openLogin, user));
    });

    it(`starts a login in ${browser} without cookies of the server`, async () => {
      const agent = new UserAgent();
      const posted = await agent.postFromElsewhere(url(), request(), headers);
      assert.deepEqual(
        agent.cookies.filter(({ name }) => name.endsWith('_flow')),
        [],
      );
      const login = await agent.submit(posted, {});
      const consent = await agent.submit(login, newUser());
      assertRedirect(await agent.submit(consent, { decision: 'allow' }));
    });
  }

  it('is not taken for a request of our pages because of a planted cookie', async () => {
    const agent = new UserAgent({ cookie: 'watchword_probe=x' });
    const headers = { 'sec-fetch-site': 'cross-site' };
    const posted = await agent.post(url(), request(), headers);
    assert.ok(fields(posted)?.some(([name]) => name === 'client_id'));
    assert.deepEqual(agent.cookies, []);
  });

  it('is posted again with the same fields, at its own address, and never at an address of its body', async () => {
    for (const path of ['/authorize', '/oauth2/authorize']) {
      const form = request({ state: ' a&b=c#d%20"<é>\r\n', submit: 'x', '<b>': '"' });
      const posted = await new UserAgent().postFromElsewhere(url(path), {
        ...form,
        scope: ['read', 'write'],
      });
      assert.deepEqual(fields(posted), [
        ...Object.entries({ ...form, state: form.state?.replace('\r', '') }),
        ['scope', 'read'],
        ['scope', 'write'],
      ]);
      assert.equal(posted.forms[0]?.action, url(path));
      assert.equal(posted.forms[0]?.method, 'POST');
    }
  });

  it('is not posted again when a form changes its fields', async () => {
    for (const state of ['a\nb', 'a\rb']) {
      assertErrorPage(await new UserAgent().postFromElsewhere(url(), request({ state })));
    }
  });

  it('can be answered by a redirect to its client, as the policy of the page permits', async () => {
    const posted = await new UserAgent().postFromElsewhere(url(), request());
    const policy = posted.headers.get('content-security-policy') ?? '';
    assert.match(policy, new RegExp(`form-action 'self' ${new URL(redirectUri).origin};`));
  });

  it('of an unknown client, or with an unregistered redirect URI, is answered by a page at once', async () => {
    const agent = new UserAgent();
    for (const wrong of [{ client_id: 'nobody' }, { redirect_uri: 'https://attacker.example/cb' }]) {
      const refused = await agent.postFromElsewhere(url(), request(wrong));
      assertErrorPage(refused);
      assert.equal(refused.forms.length, 0);
    }
    assert.deepEqual(agent.cookies, []);
  });

  it('is answered at once in a frame, which cannot show our pages, if the client asks for no interaction', async () => {
    const framed = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' };
    const agent = new UserAgent();
    const refused = await agent.postFromElsewhere(url(), request({ prompt: 'none' }), framed);
    assertRedirectedError(refused, 'login_required', { issuer: server.service.baseUrl });
    for (const [parameters, headers] of [
      [{}, framed],
      [{ prompt: 'none' }, { ...framed, 'sec-fetch-dest': 'document' }],
    ] as const) {
      const posted = await agent.postFromElsewhere(url(), request(parameters), headers);
      assert.ok(fields(posted)?.some(([name]) => name === 'client_id'));
    }
    assert.deepEqual(agent.cookies, []);
  });

  it('follows the path prefix of the base URL', async () => {
    await using below = await startServer({
      baseUrl: 'https://apps.example/sso',
      allowInsecureAuthentication: 'true',
    });
    const prefixed = await registerApplication(below);
    const agent = new UserAgent();
    const { pathname, searchParams } = new URL(prefixed.authorizeUrl());
    assert.equal(pathname, '/sso/authorize');
    const posted = await agent.postFromElsewhere(
      `${below.baseUrl}/authorize`,
      Object.fromEntries(searchParams),
      older,
    );
    assert.equal(posted.forms[0]?.action, `${below.baseUrl}/authorize`);
    assert.deepEqual(
      agent.cookies.map(({ name, path }) => [name, path]),
      [['__Secure-watchword_probe.sso', '/sso']],
    );
    const login = await agent.submit(posted, {});
    assert.ok(login.forms[0]?.controls.some(({ name }) => name === 'password'));
  });
});
