import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createBearerValue } from '@watchword/protocol';
import {
  type AccountServer,
  accountsPath,
  isLoggedIn,
  startAccountServer,
} from '@watchword/server-testkit/servers/account-server';
import type { Administering } from '@watchword/server-testkit/servers/administration';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { startServer } from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { systemRandom } from '../../src/system.ts';

const chosen = 'a new and long one';

describe('a reset link', () => {
  let server: AccountServer;
  let root: Administering;

  before(async () => {
    server = await startAccountServer({ trustedProxies: '127.0.0.1' });
    root = await server.logIn('root');
  });
  after(() => server[Symbol.asyncDispose]());

  const create = (username: string) => root.create(accountsPath, { username });
  const open = (link: string, agent = new UserAgent()) => agent.get(link);
  const typed = (password: string, again = password) => ({
    new_password: password,
    new_password_again: again,
  });
  const set = async (link: string, agent = new UserAgent(), password = chosen): Promise<Page> =>
    agent.submit(await open(link, agent), typed(password));
  const assertInvalid = (page: Page) => {
    assert.equal(page.status, 400, page.text);
    assert.match(page.text, /This link no longer works/);
  };

  it('sets the password once, and the user logs in with it', async () => {
    const { id, resetLink } = await create('once');
    const page = await set(resetLink);
    assert.equal(page.status, 200);
    assert.match(page.text, /Your password is saved/);
    assertInvalid(await open(resetLink));
    assert.ok(await isLoggedIn(await server.browserOf('once', chosen), server));
    const { json } = await root.get(`${accountsPath}/${id}`);
    assert.deepEqual([json.hasPassword, json.resetLinkExpires], [true, null]);
    const [event] = (await root.get('/admin/auditEvent?recordType=account&limit=1')).json;
    assert.deepEqual([event.action, event.actor, event.recordName], ['changePassword', 'once', 'once']);
    assert.ok(!JSON.stringify(event).includes(chosen));
  });

  it('is on a page that is not stored, sends no referrer and does not contain the link', async () => {
    const { resetLink } = await create('quiet');
    const page = await open(resetLink);
    assert.equal(page.headers.get('cache-control'), 'no-store');
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
    const value = new URL(resetLink).searchParams.get('link') ?? '';
    assert.match(value, /^wwp_/);
    assert.ok(!page.html.includes(value));
    await set(resetLink);
    for (const secret of [value, value.slice(0, 30), chosen]) assert.ok(!server.log().includes(secret));
  });

  it('is redeemed by one of two browsers that use it at the same time', async () => {
    const { resetLink } = await create('twice');
    const agents = [new UserAgent(), new UserAgent()];
    const pages = await Promise.all(agents.map((agent) => open(resetLink, agent)));
    const answers = await Promise.all(
      agents.map((agent, index) => agent.submit(pages[index] as Page, typed(`${chosen} ${index}`))),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400]);
    const winner = answers.findIndex(({ status }) => status === 200);
    assert.ok(await isLoggedIn(await server.browserOf('twice', `${chosen} ${winner}`), server));
  });

  it('ends with another reset, when the account is disabled, and when it is deleted', async () => {
    const { id, resetLink } = await create('ends');
    const url = `${accountsPath}/${id}`;
    const agent = new UserAgent();
    const opened = await open(resetLink, agent);
    const reset = async () => (await root.call('POST', `${url}/resetLink`)).json.resetLink;
    const second = await reset();
    assertInvalid(await open(resetLink));
    assertInvalid(await agent.submit(opened, typed(chosen)));
    assert.equal((await open(second)).status, 200);
    await root.call('PATCH', url, { disabled: true });
    assertInvalid(await open(second));
    await root.call('PATCH', url, { disabled: false });
    assertInvalid(await open(second));
    const third = await reset();
    const shown = await open(third, agent);
    await root.call('DELETE', url);
    await create('ends');
    assertInvalid(await open(third));
    assertInvalid(await agent.submit(shown, typed(chosen)));
  });

  it('ends after an hour', async () => {
    using clock = stoppedClock();
    const { resetLink } = await create('hour');
    clock.advance(3599);
    const agent = new UserAgent();
    const page = await open(resetLink, agent);
    assert.equal(page.status, 200);
    clock.advance(1);
    assertInvalid(await agent.submit(page, typed(chosen)));
    assertInvalid(await open(resetLink));
  });

  it('keeps the rules of passwords, and stays valid after a password that breaks them', async () => {
    const { resetLink } = await create('rules');
    const agent = new UserAgent();
    const short = await set(resetLink, agent, 'short');
    assert.equal(short.status, 400);
    assert.match(short.text, /at least 15 characters/);
    const known = await agent.submit(short, typed('Password-Password'.replace('-', '')));
    assert.deepEqual([known.status, /lists that attackers try first/.test(known.text)], [400, true]);
    const named = await agent.submit(known, typed('Rules!Watchword2026'));
    assert.deepEqual([named.status, /little more than your name/.test(named.text)], [400, true]);
    const differ = await agent.submit(named, typed(chosen, 'another long one'));
    assert.match(differ.text, /not the same/);
    assert.ok(!differ.html.includes(chosen));
    assert.match((await agent.submit(differ, typed(chosen))).text, /Your password is saved/);
  });

  it('is set only in the browser that opened the page', async () => {
    const { resetLink } = await create('bound');
    const page = await open(resetLink);
    const [form] = page.forms;
    const auth_state = form?.controls.find(({ name }) => name === 'auth_state')?.value ?? '';
    const url = `${server.baseUrl}/account/set-password`;
    const fields = { auth_state, ...typed(chosen) };
    const other = new UserAgent();
    const own = { 'sec-fetch-site': 'same-origin' };
    assert.equal((await other.post(url, fields, own)).status, 403);
    await open(resetLink, other);
    assert.equal((await other.post(url, fields, own)).status, 400);
    assert.equal((await open(resetLink)).status, 200);
  });

  // Held by password-pages.test.ts of the accounts, with the limits of login-attempts.test.ts.
  slowTest('is guessed at the pace of logins only, and the right one opens all the same', async () => {
    const { resetLink } = await create('guess');
    const agent = new UserAgent({ 'x-forwarded-for': '203.0.113.1' });
    const statuses: number[] = [];
    for (let count = 0; count < 62; count += 1) {
      const { value } = createBearerValue('reset', Date.now(), systemRandom);
      statuses.push((await agent.get(`${server.baseUrl}/account/set-password?link=${value}`)).status);
    }
    assert.deepEqual(statuses.slice(0, 60), Array(60).fill(400));
    assert.equal(statuses.at(-1), 429);
    assert.equal((await open(resetLink, agent)).status, 200);
    assert.equal((await agent.get(`${server.baseUrl}/account/set-password?link=garbage`)).status, 400);
  });

  it('has no page where users do not log in with local accounts, nor has an invitation or a change', async () => {
    await using other = await startServer({ registration: 'invitation' });
    for (const path of [
      '/account/set-password?link=x',
      '/account/invitation?link=x',
      '/account/password',
      '/.well-known/change-password',
    ]) {
      assert.equal((await other.get(path)).status, 404, path);
    }
  });
});
