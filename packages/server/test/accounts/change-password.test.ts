import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  type AccountServer,
  isLoggedIn,
  startAccountServer,
} from '@watchword/server-testkit/servers/account-server';
import { startServer } from '@watchword/server-testkit/servers/server';
import { sql } from '@watchword/server-testkit/servers/sql';
import { rounds, slowTest } from '@watchword/testkit';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { password } from '../support/login-dependencies.ts';

const chosen = 'a new and long one';
const fields = (current = password, next = chosen, again = next) => ({
  password: current,
  new_password: next,
  new_password_again: again,
});

describe('changing the own password', () => {
  let server: AccountServer;

  before(async () => {
    server = await startAccountServer();
  });
  after(() => server[Symbol.asyncDispose]());

  const url = () => `${server.baseUrl}/account/password`;
  const session = (agent: UserAgent) => agent.cookies.find(({ name }) => name.includes('session'))?.value;

  it('keeps this session under a new id, and the grants if their box is cleared, and ends all other sessions', async () => {
    await server.addAccount('emma');
    const [agent, other] = [await server.browserOf('emma'), await server.browserOf('emma')];
    const tokens = await server.grantTo('emma', agent);
    const before = session(agent);
    assert.match((await agent.get(`${server.baseUrl}/account`)).html, /href="\/account\/password"/);
    const page = await agent.submit(await agent.get(url()), { ...fields(), end_grants: [] });
    assert.equal(page.url, `${server.baseUrl}/account?password=changed`);
    assert.match(page.text, /Your password is changed\. You are signed out everywhere else\. /);
    assert.notEqual(session(agent), before);
    assert.ok(await isLoggedIn(agent, server));
    assert.ok(!(await isLoggedIn(other, server)));
    assert.equal(await server.tokenStatus(tokens.access_token), 200);
    assert.ok(!(await isLoggedIn(await server.browserOf('emma'), server)));
    assert.ok(await isLoggedIn(await server.browserOf('emma', chosen), server));
    const root = await server.logIn('root');
    const [event] = (await root.get('/admin/auditEvent?recordType=account&limit=1')).json;
    assert.deepEqual([event.action, event.actor, event.recordName], ['changePassword', 'emma', 'emma']);
    for (const secret of [password, chosen]) assert.ok(!server.log().includes(secret));
  });

  it('ends the access of applications while its box is ticked, as it is at first', async () => {
    await server.addAccount('tess');
    const agent = await server.browserOf('tess');
    const [tokens, others] = [await server.grantTo('tess', agent), await server.grantTo('tess', agent)];
    const page = await agent.submit(await agent.get(url()), fields());
    assert.match(page.text, /applications have no access any more/);
    assert.match(page.text, /Demo App uses Demo Resource Server It has no access now/);
    for (const { access_token, refresh_token } of [tokens, others]) {
      assert.equal(await server.tokenStatus(access_token), 404);
      const form = { grant_type: 'refresh_token', refresh_token };
      const refreshed = await server.post('/oauth2/token', form, 'demo-app:demo-app-client-secret');
      assert.equal(refreshed.json.error, 'invalid_grant');
    }
    const rows = await sql(
      server.database,
      `select revoked_at from authorization_grant where principal_name = 'tess'`,
    );
    assert.deepEqual(
      rows.map((row) => Number(row.revoked_at) > 0),
      [true, true],
    );
    const root = await server.logIn('root');
    const [event] = (await root.get('/admin/auditEvent?recordType=account&limit=1')).json;
    assert.deepEqual(
      [event.action, event.recordName, event.after],
      ['changePassword', 'tess', { endedGrants: 2 }],
    );
  });

  // Held by password-pages.test.ts of the accounts.
  slowTest('keeps the choice of that box on a form with a problem, and ends nothing then', async () => {
    await server.addAccount('uma');
    const agent = await server.browserOf('uma');
    const { access_token } = await server.grantTo('uma', agent);
    const isTicked = (page: Page) =>
      page.forms[0]?.controls.find(({ name }) => name === 'end_grants')?.checked;
    const page = await agent.get(url());
    assert.ok(isTicked(page));
    const wrong = await agent.submit(page, fields('not the password'));
    assert.deepEqual([wrong.status, isTicked(wrong)], [403, true]);
    const cleared = await agent.submit(wrong, { ...fields(password, 'short'), end_grants: [] });
    assert.deepEqual([cleared.status, isTicked(cleared)], [400, false]);
    assert.equal(await server.tokenStatus(access_token), 200);
  });

  it('is not claimed by the page when a link at another place leads there', async () => {
    await server.addAccount('link');
    const cookie = (await server.browserOf('link')).cookies
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const claims = async (headers: Record<string, string>) => {
      const { text } = await server.get('/account?password=changed', { cookie, ...headers });
      return text.includes('Your password is changed');
    };
    for (const site of ['cross-site', 'same-site', 'none']) {
      assert.equal(await claims({ 'sec-fetch-site': site }), false, site);
    }
    assert.deepEqual([await claims({ 'sec-fetch-site': 'same-origin' }), await claims({})], [true, true]);
  });

  it('needs the current password, and a new one within the rules, typed twice', async () => {
    await server.addAccount('finn');
    const agent = await server.browserOf('finn');
    const wrong = await agent.submit(await agent.get(url()), fields('not the password'));
    assert.deepEqual([wrong.status, /not your current password/.test(wrong.text)], [403, true]);
    const short = await agent.submit(wrong, fields(password, 'short'));
    assert.deepEqual([short.status, /at least 15 characters/.test(short.text)], [400, true]);
    const differ = await agent.submit(short, fields(password, chosen, `${chosen}x`));
    assert.deepEqual([differ.status, /not the same/.test(differ.text)], [400, true]);
    assert.ok(await isLoggedIn(await server.browserOf('finn'), server));
  });

  it('is limited as a login is, together with it', async () => {
    await server.addAccount('gina');
    const agent = await server.browserOf('gina');
    let page = await agent.get(url());
    for (let count = 0; count < 5; count += 1) page = await agent.submit(page, fields('not the password'));
    assert.equal(page.status, 403);
    page = await agent.submit(page, fields());
    assert.equal(page.status, 429);
    assert.match(page.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    // The login in this browser counts together with it. A thief of the session keeps no other browser out.
    await agent.submit(await agent.get(`${server.baseUrl}/logout`), {});
    const form = await agent.get(`${server.baseUrl}/account`);
    assert.equal((await agent.submit(form, { username: 'gina', password })).status, 429);
    assert.ok(await isLoggedIn(await server.browserOf('gina'), server));
  });

  it('works only with the page of this session in this browser', async () => {
    await server.addAccount('hugo');
    const agent = await server.browserOf('hugo');
    const page = await agent.get(url());
    const other = await server.browserOf('hugo');
    const auth_state = page.forms[0]?.controls.find(({ name }) => name === 'auth_state')?.value ?? '';
    const own = { 'sec-fetch-site': 'same-origin' };
    assert.equal((await other.post(url(), { auth_state, ...fields() }, own)).status, 400);
    assert.equal((await agent.post(url(), fields(), own)).status, 403);
    await agent.submit(page, fields());
    const again = await agent.submit(page, fields(chosen, 'yet another one'));
    assert.match(again.text, /nothing was done with your answer/);
    assert.ok(await isLoggedIn(await server.browserOf('hugo', chosen), server));
  });

  it('begins with a login where no user is logged in, which leads back to it', async () => {
    await server.addAccount('lena');
    const agent = new UserAgent();
    const failed = await agent.submit(await agent.get(url()), { username: 'lena', password: 'wrong' });
    const { location } = await agent.submit(failed, { username: 'lena', password });
    assert.equal(location, `${server.service.baseUrl}/account/password`);
    const page = await agent.submit(await agent.get(url()), fields());
    assert.equal(page.url, `${server.baseUrl}/account?password=changed-and-access-ended`);
  });

  // Held by change-password-races.test.ts of the accounts.
  slowTest('does not bring a disabled account back when both happen at the same time', async () => {
    const root = await server.logIn('root');
    for (let round = 0; round < rounds(2, 8); round += 1) {
      const username = `race-${round}`;
      await server.addAccount(username);
      const agent = await server.browserOf(username);
      const page = await agent.get(url());
      const [{ id }] = (await root.get(`/admin/account?username=${username}`)).json;
      const [, disabled] = await Promise.all([
        agent.submit(page, fields()),
        root.call('PATCH', `/admin/account/${id}`, { disabled: true }),
      ]);
      assert.equal(disabled.status, 200);
      assert.ok(!(await isLoggedIn(agent, server)));
    }
  });

  it('is not for users of another identity provider', async () => {
    const module = fileURLToPath(import.meta.resolve('@watchword/server-testkit/people/any-person'));
    const authenticators = JSON.stringify(['password', { module, as: 'elsewhere' }]);
    await using both = await startServer({ authenticators });
    const agent = new UserAgent();
    const chooser = await agent.get(`${both.service.baseUrl}/account`);
    const link = /href="([^"]*authenticator=elsewhere[^"]*)"/.exec(chooser.html)?.[1] ?? '';
    const login = await agent.get(new URL(link.replaceAll('&amp;', '&'), both.service.baseUrl).href);
    const account = await agent.submit(login, { username: 'emma', password: '{}' });
    assert.equal(account.status, 200);
    assert.doesNotMatch(account.html, /account\/password/);
    const refused = await agent.get(`${both.service.baseUrl}/account/password`);
    assert.equal(refused.status, 403);
    assert.match(refused.text, /kept elsewhere/);
  });
});

describe('the well-known address to change a password', () => {
  it('leads to the page, at the root of the host and below the base URL', async () => {
    await using server = await startServer({ authenticator: 'password', baseUrl: 'https://localhost/auth' });
    for (const path of ['/.well-known/change-password', '/auth/.well-known/change-password']) {
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { redirect: 'manual' });
      assert.deepEqual(
        [answer.status, answer.headers.get('location')],
        [303, '/auth/account/password'],
        path,
      );
    }
  });
});
