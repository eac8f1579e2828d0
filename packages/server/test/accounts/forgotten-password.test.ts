import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { lastMail, mailsOf } from '@watchword/server-testkit/neighbours/mailbox';
import {
  type AccountUsers,
  accountUsers,
  isLoggedIn,
} from '@watchword/server-testkit/servers/account-server';
import { engine } from '@watchword/server-testkit/servers/engine';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { buildAccount } from '@watchword/testkit';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';

const chosen = 'a new and long one';
const typed = { new_password: chosen, new_password_again: chosen };

describe('a forgotten password', () => {
  let server: TestServer;
  let users: AccountUsers;

  before(async () => {
    // A test can have an address of its own, which a proxy sends.
    const flags = { authenticator: 'password', trustedProxies: '127.0.0.1' };
    server = await startServer(flags, engine, false, true);
    users = await accountUsers(server);
  });
  after(() => server[Symbol.asyncDispose]());

  /** An account with an address of its own. */
  const person = async (username: string, overrides = {}) => {
    const email = `${username}@example.org`;
    await server.service.store.accounts.create(
      buildAccount({ username, email, emailVerified: false, ...overrides }),
    );
    return email;
  };
  const ask = async (identifier: string, agent = new UserAgent()) => {
    const page = await agent.get(`${server.baseUrl}/account/forgotten-password`);
    return agent.submit(page, { identifier, choice: 'ask' });
  };
  const linkOf = async (email: string) =>
    `${server.baseUrl}${(await lastMail(server, 'reset_password', email)).values.path}`;
  const codeOf = async (email: string) => (await lastMail(server, 'reset_password', email)).values.code ?? '';
  const isShown = (page: Page) => /Choose a password/.test(page.text);

  it('is replaced with the link of a mail, in the browser that asked for it, once', async () => {
    const email = await person('link');
    const agent = new UserAgent();
    const sent = await ask('link', agent);
    assert.deepEqual([sent.status, /a mail is on its way/.test(sent.text)], [200, true]);
    const link = await linkOf(email);
    const elsewhere = await new UserAgent().get(link);
    assert.deepEqual([elsewhere.status, /belongs to another browser/.test(elsewhere.text)], [400, true]);
    const page = await agent.get(link);
    assert.ok(isShown(page), page.text);
    const saved = await agent.submit(page, typed);
    assert.match(saved.text, /Your password is saved/);
    assert.ok(await isLoggedIn(await users.browserOf('link', chosen), server));
    for (const again of [await agent.get(link), await agent.submit(page, typed)]) {
      assert.deepEqual([again.status, /no longer works/.test(again.text)], [400, true]);
    }
    const metrics = await server.get('/metrics');
    for (const event of ['reset_asked', 'password_changed'])
      assert.match(metrics.text, new RegExp(`^watchword_account_events_total\\{event="${event}"\\} 1$`, 'm'));
    const account = await server.service.store.accounts.find('link');
    assert.ok(account?.emailVerified);
    assert.equal((await lastMail(server, 'password_changed', email)).values.name, account.displayName);
  });

  it('is mailed about in the language of the browser where the account has none', async () => {
    const email = await person('visitor', { locale: '' });
    const agent = new UserAgent({ 'accept-language': 'fr' });
    await ask('visitor', agent);
    await agent.submit(await agent.get(await linkOf(email)), typed);
    for (const kind of ['reset_password', 'password_changed'] as const)
      assert.equal((await lastMail(server, kind, email)).language, 'fr');
  });

  it('is replaced with the code of a mail that is read elsewhere, in any case and spacing', async () => {
    const email = await person('code');
    const agent = new UserAgent();
    const sent = await ask('CODE@example.org', agent);
    const code = await codeOf(email);
    const wrong = await agent.submit(sent, { code: 'BBBB-BBBB' });
    assert.deepEqual([wrong.status, /code is not right/.test(wrong.text)], [400, true]);
    const page = await agent.submit(wrong, { code: ` ${code.toLowerCase().replace('-', ' ')} ` });
    assert.ok(isShown(page), page.text);
    assert.match((await agent.submit(page, typed)).text, /Your password is saved/);
  });

  it('takes five codes for a mail, also of another page, and then not even the right one', async () => {
    const email = await person('guess');
    const agent = new UserAgent();
    const sent = await ask('guess', agent);
    for (let count = 0; count < 5; count += 1) await agent.submit(sent, { code: 'BBBBBBBB' });
    assert.ok(!isShown(await agent.submit(sent, { code: await codeOf(email) })));
    assert.ok(isShown(await agent.get(await linkOf(email))));
  });

  it('gets the same answer for every name, and mails only for accounts that can be used', async () => {
    const email = await person('known');
    const shared = await person('shared');
    await person('of the same address', { email: shared });
    await person('disabled', { disabled: true });
    await person('nowhere', { email: '' });
    const before = (await mailsOf(server)).length;
    const answers = await Promise.all(
      ['known', 'disabled', 'nowhere', 'unknown', 'unknown@example.org', email.toUpperCase(), shared].map(
        async (name) => {
          const { status, text, html } = await ask(name);
          return `${status} ${html.length} ${text}`;
        },
      ),
    );
    assert.equal(new Set(answers).size, 1);
    const mails = (await mailsOf(server)).slice(before);
    assert.deepEqual(mails.map(({ to }) => to).toSorted(), [email, email, shared, shared]);
  });

  it('is mailed about to the owner of an address that another person has as a username', async () => {
    const address = await person('owner');
    const other = 'other@example.org';
    await person(address, { email: other });
    const before = (await mailsOf(server)).length;
    await ask(address);
    const mails = (await mailsOf(server)).slice(before);
    assert.deepEqual(mails.map(({ to }) => to).toSorted(), [address, other].toSorted());
  });

  it('leads back to the login in which it was missing', async () => {
    const email = await person('back');
    const agent = new UserAgent();
    const query = new URLSearchParams({ response_type: 'code', client_id: 'demo-app', state: 'kept' });
    const login = await agent.get(`${server.baseUrl}/authorize?${query}`);
    const asking = await agent.submit(login, { from: 'login' });
    await agent.submit(asking, { identifier: 'back', choice: 'ask' });
    const saved = await agent.submit(await agent.get(await linkOf(email)), typed);
    const again = await agent.submit(saved, {});
    const { text } = await agent.submit(again, { username: 'back', password: chosen });
    assert.match(text, /Allow|demo/i);
  });

  it('is not reset with a link after the address of the account has changed, or the account is disabled', async () => {
    const email = await person('changed');
    const { store } = server.service;
    for (const change of [{ email: 'other@example.org' }, { disabled: true }]) {
      const agent = new UserAgent();
      await ask('changed', agent);
      const link = await linkOf(email);
      const page = await agent.get(link);
      await store.accounts.update('changed', change, Date.now());
      for (const late of [await agent.get(link), await agent.submit(page, typed)]) {
        assert.equal(late.status, 400, late.text);
      }
      await store.accounts.update('changed', { email, disabled: false }, Date.now());
    }
  });

  it('is not reset with an earlier link once a later one was used', async () => {
    const email = await person('renewed');
    const [first, second] = [new UserAgent(), new UserAgent()];
    await ask('renewed', first);
    const old = await linkOf(email);
    await ask('renewed', second);
    await second.submit(await second.get(await linkOf(email)), typed);
    assert.match((await first.get(old)).text, /no longer works/);
  });

  it('lets a network wait that asks again and again for one name, whether there is such an account or not', async () => {
    await person('often');
    for (const name of ['often', 'never']) {
      const statuses = [];
      for (let count = 0; count < 4; count += 1) {
        statuses.push((await ask(name, new UserAgent({ 'x-forwarded-for': '203.0.113.1' }))).status);
      }
      assert.deepEqual(statuses, [200, 200, 200, 429], name);
    }
  });

  it('is in the audit log with the network that asked, for an account or for none, and without what was typed', async () => {
    await person('asked');
    const { auditEvents } = server.service.store;
    const confirmations = async () =>
      (await auditEvents.list({ limit: 1000 })).filter(({ recordType }) => recordType === 'confirmation');
    const before = (await confirmations()).length;
    for (const name of ['asked', 'my-secret-password']) await ask(name);
    const events = await confirmations();
    const [ofNobody, ofAccount] = events;
    assert.equal(events.length, before + 2);
    for (const [event, owner] of [
      [ofNobody, { identityProvider: 'system', name: 'watchword' }],
      [ofAccount, { identityProvider: 'password', name: 'asked' }],
    ] as const) {
      assert.deepEqual([event?.owner, event?.source, event?.action], [owner, '127.0.0.1', 'create']);
      assert.deepEqual([event?.actor.name, event?.after?.purpose], ['watchword', 'reset_password']);
    }
    assert.ok(!JSON.stringify(events).includes('my-secret'));
  });

  it('is in no log line, with neither link nor code', async () => {
    const mails = (await mailsOf(server)).filter((mail) => mail.kind === 'reset_password');
    assert.ok(mails.length > 3);
    for (const { values } of mails) {
      const link = values.path.split('link=')[1] ?? values.path;
      for (const secret of [link, values.code ?? link]) assert.ok(!server.log().includes(secret));
    }
  });
});
