import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Application,
  redirectUri,
  registerApplication,
} from '@watchword/server-testkit/clients/application';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { countRows, sql, tableNames } from '@watchword/server-testkit/servers/sql';
import { protocolError, slowTest } from '@watchword/testkit';
import { type Page, UserAgent, withdrawalPage } from '@watchword/testkit/user-agent';
import { assertErrorPage, assertRedirectedError } from '../../support/browser-answers.ts';

const credentials = { username: 'emma', password: 'secret of emma' };

describe('login and consent', () => {
  let server: TestServer;
  let app: Application;
  before(async () => {
    server = await startServer();
    app = await registerApplication(server);
  });
  after(() => server[Symbol.asyncDispose]());

  const url = (path: string) => `${server.baseUrl}${path}`;
  const authState = (page: Page) =>
    page.forms[0]?.controls.find(({ name }) => name === 'auth_state')?.value ?? '';
  /** A new user, who must consent. */
  let users = 0;
  const newUser = () => {
    users += 1;
    return { username: `user-${users}`, password: 'x' };
  };
  const cookiesOf = (agent: UserAgent) =>
    agent.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const session = (agent: UserAgent) => agent.cookies.find(({ name }) => name.endsWith('_session'));
  const rows = (table: string) => countRows(server.database, table);

  it('LC-1: needs the cookie of the browser that got the form', async () => {
    const before = await rows('login_session');
    const page = await app.open();
    const noCookie = await new UserAgent().post(url('/login'), {
      auth_state: authState(page),
      ...credentials,
    });
    assertErrorPage(noCookie, 403);
    const agent = new UserAgent();
    await app.open({}, agent);
    assertErrorPage(await agent.post(url('/login'), credentials), 403);
    assertErrorPage(await agent.post(url('/login'), { auth_state: '', ...credentials }), 403);
    assertErrorPage(await agent.post(url('/login'), { auth_state: 'wrong', ...credentials }), 400);
    assert.equal(session(agent), undefined);
    assert.equal(await rows('login_session'), before);
  });

  it('LC-2: rejects a form that another browser got, and does not affect that browser', async () => {
    const [a, b] = [new UserAgent(), new UserAgent()];
    const [pageOfA] = [await app.open({}, a), await app.open({}, b)];
    const stolen = await b.post(url('/login'), { auth_state: authState(pageOfA), ...credentials });
    assertErrorPage(stolen, 400);
    const consentOfA = await a.submit(pageOfA, newUser());
    const consentOfB = await b.submit(await app.open({}, b), newUser());
    const form = { auth_state: authState(consentOfA), decision: 'allow', granted_scopes: ['read'] };
    assertErrorPage(await b.post(url('/consent'), form), 400);
    for (const [agent, page] of [
      [a, consentOfA],
      [b, consentOfB],
    ] as const) {
      assert.ok((await agent.submit(page, { decision: 'allow' })).location?.startsWith(redirectUri));
    }
  });

  it('LC-3: rejects a changed or invalid auth_state, and shows how to continue', async () => {
    const agent = new UserAgent();
    const page = await app.open({}, agent);
    const good = authState(page);
    const middle = Math.floor(good.length / 2);
    const account = await agent.get(url('/account'));
    const changed = [
      good.slice(0, -1),
      good.slice(1),
      `${good}A`,
      `${good.slice(0, middle)}${good[middle] === 'A' ? 'B' : 'A'}${good.slice(middle + 1)}`,
      `x${good}`,
      good.replace('.', ''),
      "' OR 1=1 --",
      'x'.repeat(10_000),
      'eyJhbGciOiJub25lIn0.e30.',
    ];
    for (const auth_state of changed) {
      const refused = await agent.post(url('/login'), { auth_state, ...credentials });
      assertErrorPage(refused, 400);
      assert.match(refused.text, /start|again/i);
      assertErrorPage(
        await agent.post(url('/consent'), { auth_state, decision: 'allow', granted_scopes: 'read' }),
        400,
      );
    }
    assert.equal(session(agent), undefined);
    assert.ok(account.forms.length > 0);
    assert.equal((await agent.submit(page, newUser())).status, 200);
  });

  // Held by late-pages.test.ts of the protocol.
  slowTest('LC-3: decides nothing by an auth_state older than ten minutes', async () => {
    using clock = stoppedClock();
    const agent = new UserAgent();
    const page = await app.open({}, agent);
    clock.advance(599);
    const consent = await agent.submit(page, newUser());
    assert.equal(consent.status, 200);
    clock.advance(600);
    const before = [await rows('authorization_grant'), await rows('login_session')];
    const asked = await agent.submit(consent, { decision: 'allow' });
    assert.equal(asked.location, undefined);
    assert.match(asked.text, /nothing was done with your answer/);
    const stranger = new UserAgent();
    const late = await app.open({}, stranger);
    clock.advance(600);
    const again = await stranger.submit(late, newUser());
    assert.match(again.text, /nothing was done with your answer/);
    assert.ok(!stranger.cookies.some(({ name }) => /session/.test(name)));
    assert.deepEqual([await rows('authorization_grant'), await rows('login_session')], before);
  });

  it('LC-5: asks for consent after the login, with any extra fields in the login form', async () => {
    const agent = new UserAgent();
    const page = await app.open({}, agent);
    const asConsent = { auth_state: authState(page), decision: 'allow', granted_scopes: ['read', 'write'] };
    assertErrorPage(await agent.post(url('/consent'), asConsent), 400);
    const before = await rows('authorization_grant');
    const answer = await agent.post(url('/login'), { ...asConsent, ...newUser() });
    assert.equal(answer.status, 200);
    assert.ok(answer.forms[0]?.controls.some(({ name }) => name === 'decision'));
    assert.equal(await rows('authorization_grant'), before);
  });

  it('LC-6: grants no scope that was not requested', async () => {
    const agent = new UserAgent();
    const page = await agent.submit(await app.open({ scope: 'read' }, agent), newUser());
    const before = [await rows('authorization_grant'), await rows('consent')];
    for (const granted_scopes of ['write', 'admin', ['read', 'write'], ['read', 'root']]) {
      const form = { auth_state: authState(page), decision: 'allow', granted_scopes };
      assertErrorPage(await agent.post(url('/consent'), form), 400);
    }
    assert.deepEqual([await rows('authorization_grant'), await rows('consent')], before);
  });

  it('LC-6: grants nothing without a decision, or without a scope', async () => {
    const agent = new UserAgent();
    const page = await agent.submit(await app.open({}, agent), newUser());
    const before = await rows('authorization_grant');
    for (const form of [
      { granted_scopes: ['read'] },
      { granted_scopes: ['read'], decision: 'maybe' },
      { decision: 'allow' },
    ]) {
      const answer = await agent.post(url('/consent'), { auth_state: authState(page), ...form });
      assert.equal(answer.status, 400);
      assert.ok(answer.forms[0]?.controls.some(({ name }) => name === 'decision'));
    }
    assert.equal(await rows('authorization_grant'), before);
  });

  // consent-of-another-person.test.ts holds it.
  slowTest('LC-7: asks again when another user has logged in meanwhile', async () => {
    const agent = new UserAgent();
    const first = await agent.submit(await app.open({}, agent), newUser());
    await agent.submit(await app.open({ prompt: 'login' }, agent), newUser());
    const before = await rows('authorization_grant');
    const answer = await agent.submit(first, { decision: 'allow' });
    assert.equal(answer.status, 200);
    assert.ok(answer.text.includes(`user-${users}`), answer.text);
    assert.equal(await rows('authorization_grant'), before);
  });

  it('LC-9: starts a session under a new id, and ends the one before', async () => {
    const agent = new UserAgent();
    const planted = `watchword_session=wws_${'A'.repeat(70)}; Path=/`;
    agent.plantCookie(planted);
    await agent.submit(await app.open({}, agent), newUser());
    const first = cookiesOf(agent);
    assert.notEqual(session(agent), undefined);
    assert.ok(!planted.includes(session(agent)?.value ?? ''));
    await agent.submit(await app.open({ prompt: 'login' }, agent), newUser());
    const second = cookiesOf(agent);
    assert.notEqual(second, first);
    assert.ok(!(await isLoggedIn(first)));
    assert.ok(await isLoggedIn(second));
  });

  it('LC-9: ends the session at the logout, also for a copy of its cookie', async () => {
    const agent = new UserAgent();
    await agent.submit(await app.open({}, agent), newUser());
    const cookie = cookiesOf(agent);
    assert.ok(await isLoggedIn(cookie));
    await agent.submit(await agent.get(url('/logout')), {});
    assert.equal(session(agent), undefined);
    assert.ok(!(await isLoggedIn(cookie)));
  });

  it('LC-9: logs a user out only by a form of that user', async () => {
    const agent = new UserAgent();
    await agent.submit(await app.open({}, agent), newUser());
    const cookie = cookiesOf(agent);
    await agent.get(url('/logout'));
    assertErrorPage(await agent.post(url('/logout'), {}), 403);
    assert.ok(await isLoggedIn(cookie));
  });

  it('LC-10: sets cookies that no script reads and no other site sends', async () => {
    const agent = new UserAgent();
    await agent.submit(await app.open({}, agent), newUser());
    assert.equal(agent.cookies.length, 2);
    for (const { name, attributes, path } of agent.cookies) {
      assert.ok(attributes.has('httponly'), name);
      assert.equal(attributes.get('samesite')?.toLowerCase(), 'lax', name);
      assert.equal(path, '/', name);
      assert.equal(attributes.has('domain'), false, name);
    }
  });

  it('LC-10: sets cookies that are bound to the host where the base URL is https', async () => {
    // browser-cookies.test.ts has base URLs with a path.
    const flags = { baseUrl: 'https://auth.example', allowInsecureAuthentication: 'true' };
    await using secure = await startServer(flags);
    const secureApp = await registerApplication(secure);
    const agent = new UserAgent();
    await agent.submit(await secureApp.open({}, agent), newUser());
    assert.equal(agent.cookies.length, 2);
    for (const cookie of agent.cookies) {
      assert.ok(cookie.name.startsWith('__Host-'), cookie.name);
      assert.ok(cookie.attributes.has('secure'), cookie.name);
      assert.equal(cookie.path, '/');
    }
  });

  it('LC-11: shows external text as text', async () => {
    const hostile = `<img src=x onerror=alert(1)>"'><svg/onload=alert(1)>{{7*99}}<%= 7*99 %>\${7*99}`;
    const named = await registerApplication(server, {
      clientName: hostile.slice(0, 60),
      description: hostile,
    });
    const agent = new UserAgent();
    const login = await agent.get(`${named.authorizeUrl()}&${new URLSearchParams({ unknown: hostile })}`);
    const consent = await agent.submit(login, { username: hostile, password: hostile });
    const done = await agent.submit(consent, { decision: 'allow' });
    assert.ok(done.location?.startsWith(redirectUri));
    const account = await agent.get(url('/account'));
    const wrong = await agent.get(named.authorizeUrl({ client_id: hostile, redirect_uri: hostile }));
    for (const page of [login, consent, account, wrong]) {
      assert.doesNotMatch(page.html, /<img src=x|<svg\/onload/);
      assert.doesNotMatch(page.text, /\b693\b/);
    }
    for (const page of [login, consent, account]) assert.match(page.text, /<img src=x onerror=alert\(1\)>/);
    assert.match(consent.text, /\{\{7\*99\}\}<%= 7\*99 %>/);
  });

  it('LC-11: shows no text that hides other text or reverses its direction', async () => {
    const agent = new UserAgent();
    const hiding = 'good\u202Eevil\u200B\u2066x';
    for (const hidden of [{ clientName: hiding }, { description: hiding }, { contactName: hiding }]) {
      await assert.rejects(registerApplication(server, hidden), protocolError('invalid_request'));
    }
    const consent = await agent.submit(await app.open({}, agent), { username: hiding, password: 'x' });
    assert.equal(consent.status, 200);
    assert.doesNotMatch(consent.html, /[\u202E\u200B\u2066]/);
  });

  it('LC-12: shows no picture from a host that the operator did not name', async () => {
    for (const thumbNailUrl of [
      'javascript:alert(1)',
      'data:image/svg+xml,<svg/>',
      '//h/x',
      'x'.repeat(10_240),
    ]) {
      await assert.rejects(registerApplication(server, { thumbNailUrl }), protocolError('invalid_request'));
    }
    const pictured = await registerApplication(server, { thumbNailUrl: 'https://pictures.example/a.png' });
    const page = await pictured.open();
    assert.doesNotMatch(page.html, /pictures\.example/);
    assert.match(page.headers.get('content-security-policy') ?? '', /img-src 'self'(?:;|$)/);

    await using trusting = await startServer({ 'pages.pictureHosts': 'pictures.example' });
    const shown = await registerApplication(trusting, { thumbNailUrl: 'https://pictures.example/a.png' });
    const trusted = await shown.open();
    assert.match(
      trusted.html,
      /<img[^>]*src="https:\/\/pictures\.example\/a\.png"[^>]*referrerpolicy="no-referrer"/,
    );
    assert.match(
      trusted.headers.get('content-security-policy') ?? '',
      /img-src 'self' https:\/\/pictures\.example(?:;|$)/,
    );
    const plain = await registerApplication(trusting, { thumbNailUrl: 'http://pictures.example/a.png' });
    assert.doesNotMatch((await plain.open()).html, /pictures\.example/);
  });

  // Held by authorization-flow.test.ts of the protocol.
  slowTest('LC-15: asks again for a scope without consent, and not for fewer scopes', async () => {
    const agent = new UserAgent();
    const user = newUser();
    const first = await agent.submit(await app.open({ scope: 'read' }, agent), user);
    await agent.submit(first, { decision: 'allow' });
    assert.equal((await app.open({ scope: 'read' }, agent)).status, 303);
    const wider = await app.open({ scope: 'read write' }, agent);
    assert.equal(wider.status, 200);
    const partly = await agent.submit(wider, { decision: 'allow', granted_scopes: ['write'] });
    assert.equal(partly.status, 303);
    assert.equal((await app.open({ scope: 'write' }, agent)).status, 303);
    assert.equal((await app.open({ scope: 'read' }, agent)).status, 200);
    assert.equal((await app.open({ scope: 'write', prompt: 'consent' }, agent)).status, 200);
  });

  it('LC-15: asks again after a withdrawal, which revokes what was issued', async () => {
    const agent = new UserAgent();
    const first = await agent.submit(await app.open({}, agent), newUser());
    const { location } = await agent.submit(first, { decision: 'allow' });
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    const tokens = (await app.redeem(code)).json;
    const account = await agent.get(url('/account'));
    assert.ok(account.text.includes(app.client.clientName));
    const withdrawn = await agent.submit(await withdrawalPage(agent, url('')), {});
    assert.equal(withdrawn.status, 200);
    assert.match(withdrawn.text, /No application has access/);
    assert.equal((await app.refresh(tokens.refresh_token)).json.error, 'invalid_grant');
    assert.equal((await app.open({}, agent)).status, 200);
  });

  it('LC-15: withdraws consent only by a form of that user', async () => {
    const [a, b] = [new UserAgent(), new UserAgent()];
    for (const agent of [a, b]) {
      const consent = await agent.submit(await app.open({}, agent), newUser());
      await agent.submit(consent, { decision: 'allow' });
    }
    const client = String(app.client.id);
    const accountOfA = await withdrawalPage(a, url(''));
    assertErrorPage(await b.post(url('/account'), { client }), 403);
    assertErrorPage(await b.post(url('/account'), { auth_state: authState(accountOfA), client }), 400);
    for (const agent of [a, b]) assert.equal((await app.open({}, agent)).status, 303);
  });

  // Held by authorization-flow.test.ts of the protocol.
  slowTest('LC-15: asks again at another redirect URI', async () => {
    const two = await registerApplication(server, { redirectUris: [redirectUri, 'https://b.example/cb'] });
    const agent = new UserAgent();
    const consent = await agent.submit(await two.open({}, agent), newUser());
    await agent.submit(consent, { decision: 'allow' });
    assert.equal((await two.open({}, agent)).status, 303);
    assert.equal((await two.open({ redirect_uri: 'https://b.example/cb' }, agent)).status, 200);
  });

  it('LC-15: asks every time for a public client at an address that any application can use', async () => {
    const native = await registerApplication(server, {
      allowedImplicitGrant: true,
      redirectUris: ['http://127.0.0.1/cb'],
    });
    const agent = new UserAgent();
    const consent = await agent.submit(await native.open({}, agent), newUser());
    assert.equal((await agent.submit(consent, { decision: 'allow' })).status, 303);
    assert.equal((await native.open({}, agent)).status, 200);
    const silent = await native.open({ prompt: 'none' }, agent);
    assertRedirectedError(silent, 'consent_required', {
      issuer: server.service.baseUrl,
      target: 'http://127.0.0.1/cb',
    });
  });

  it('LC-15: remembers no denial', async () => {
    const agent = new UserAgent();
    const consent = await agent.submit(await app.open({}, agent), newUser());
    const denied = await agent.submit(consent, { decision: 'deny' });
    assertRedirectedError(denied, 'access_denied', { issuer: server.service.baseUrl });
    assert.equal((await app.open({}, agent)).status, 200);
  });

  it('LC-16: with a module that accepts every user does not start where others can connect, unless the operator permits it', async () => {
    await using directory = await temporaryDirectory();
    const args = ['serve', '--port', '0', '--database', directory.file('x.db'), '--host', '0.0.0.0'];
    const https = ['--base-url', 'https://auth.example'];
    const refused = await Promise.all([
      watchword([...args, ...https]),
      watchword([...args, ...https, '--authenticator', 'noop']),
      watchword([...args, '--authenticator', 'noop-admin', '--base-url', 'http://192.0.2.1']),
    ]);
    for (const { code, stderr } of refused) {
      assert.notEqual(code, 0);
      assert.match(stderr, /authenticator.*allowInsecureAuthentication/s);
    }
    assert.ok(server.log().includes('INSECURE: the authenticator module'));
    assert.match((await app.open()).text, /accepts every user name and password/i);
  });

  it('LC-17: makes two users of two similar names', async () => {
    for (const username of ['Alice', 'alice', '\uFF41lice', 'alice\u0301', app.client.clientId]) {
      const agent = new UserAgent();
      const consent = await agent.submit(await app.open({}, agent), { username, password: 'x' });
      assert.equal(consent.status, 200, `${username} is a user who consented before`);
      assert.equal((await agent.submit(consent, { decision: 'allow' })).status, 303);
    }
  });

  it('LC-17: rejects a name that looks like another one', async () => {
    const agent = new UserAgent();
    const page = await app.open({}, agent);
    for (const username of ['', ' ', 'al\u0001ice', 'al\nice', 'x'.repeat(10_000)]) {
      const answer = await agent.submit(page, { username, password: 'x' });
      assert.equal(answer.status, 400);
      assert.ok(answer.forms[0]?.controls.some(({ name }) => name === 'username'));
    }
    const raw = await fetch(url('/login'), {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        cookie: agent.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
      },
      body: `auth_state=${authState(page)}&username=a%00b&password=x`,
    });
    assert.equal(raw.status, 400);
    await raw.text();
    assert.equal(session(agent), undefined);
  });

  it('LC-17: makes no second user of white space around a name', async () => {
    for (const username of ['nora', ' nora', 'nora ']) await app.authorize({}, { username });
    const users = await sql(
      server.database,
      "select distinct principal_name, subject from consent where principal_name like '%nora%'",
    );
    assert.deepEqual(
      users.map((user) => user.principal_name),
      ['nora'],
    );
  });

  // secrets-at-rest.test.ts holds it for these and more.
  slowTest('LG-1: leaves no secret in the log or in the database', async () => {
    await using logging = await startServer({ 'log.level': 'debug' });
    const logged = await registerApplication(logging);
    const agent = new UserAgent();
    const user = { username: 'emma', password: 'correct horse battery' };
    const { parameters, pages } = await logged.authorize({ state: 'secret-state' }, user, agent);
    const code = parameters.get('code') ?? '';
    const { json } = await logged.redeem(code);
    await logged.refresh(json.refresh_token);
    await logged.refresh('wwr_not-a-token-but-secret');
    await agent.get(`${logging.baseUrl}/account`);
    await agent.get(`${logging.baseUrl}/authorize?client_id=x&state=secret-state&code=${code}`);
    const secrets = [
      user.password,
      code,
      json.access_token,
      json.refresh_token,
      'not-a-token-but-secret',
      'secret-state',
      logged.credentials?.split(':')[1] ?? '',
      ...agent.cookies.map(({ value }) => value),
      ...pages.flatMap((page) => (page.forms.length > 0 ? [authState(page)] : [])),
    ];
    for (const secret of secrets) {
      assert.ok(secret.length > 10);
      assert.ok(!logging.log().includes(secret), secret);
    }
    const dump = await databaseBytes(logging.database);
    for (const secret of secrets) assert.equal(dump.includes(secret), false, secret);
  });

  async function isLoggedIn(cookie: string): Promise<boolean> {
    const agent = new UserAgent({ cookie });
    const page = await agent.get(url('/account'));
    return !page.forms.some(({ controls }) => controls.some(({ name }) => name === 'username'));
  }
});

/** The content of all tables, as text. */
async function databaseBytes(database: string): Promise<string> {
  const tables = await tableNames(database);
  const rows = await Promise.all(tables.map((name) => sql(database, `select * from "${name}"`)));
  return rows
    .flat()
    .flatMap((row) => Object.values(row))
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
    .join('\n');
}
