import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { lastMail, mailsOf } from '@watchword/server-testkit/neighbours/mailbox';
import {
  type AccountUsers,
  accountUsers,
  isLoggedIn,
} from '@watchword/server-testkit/servers/account-server';
import { engine, onlyOn } from '@watchword/server-testkit/servers/engine';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';

const password = 'correct horse battery';

describe('a changed address of a local account', () => {
  let server: TestServer;
  let users: AccountUsers;
  before(async () => {
    server = await startServer({ authenticator: 'password' }, engine, false, true);
    users = await accountUsers(server);
  });
  after(() => server[Symbol.asyncDispose]());

  /** A user who is logged in, with a former and a new address. */
  const person = async (username: string, overrides = {}) => {
    const former = `${username}@example.org`;
    await users.addAccount(username);
    await accounts().update(username, { email: former, emailVerified: true, ...overrides }, Date.now());
    return { former, changed: `${username}@new.example`, agent: await users.browserOf(username) };
  };
  const accounts = () => server.service.store.accounts;
  const page = (agent: UserAgent) => agent.get(`${server.baseUrl}/account/address`);
  const ask = async (agent: UserAgent, address: string, given = password) =>
    agent.submit(await page(agent), { address, password: given, choice: 'ask' });
  const mailTo = async (to: string) => (await lastMail(server, 'confirm_address', to)).values;
  const linkTo = async (to: string) => `${server.baseUrl}${(await mailTo(to)).path}`;
  const confirm = (agent: UserAgent, shown: Page) => agent.submit(shown, { choice: 'confirm' });
  const state = async (username: string) => {
    const { email, emailVerified } = (await accounts().find(username)) ?? {};
    return [email, emailVerified];
  };
  const isOver = ({ status, text }: Page) => status === 400 && /no longer works/.test(text);

  it('is confirmed at the new with a link, in the browser that asked, once, and told to the old', async () => {
    const { former, changed, agent } = await person('link');
    const own = await agent.get(`${server.baseUrl}/account`);
    assert.match(own.html, /href="\/account\/address"/);
    const sent = await ask(agent, changed);
    assert.deepEqual([sent.status, /on its way to the new address/.test(sent.text)], [200, true]);
    assert.deepEqual(await state('link'), [former, true]);
    const link = await linkTo(changed);
    const elsewhere = await new UserAgent().get(link);
    assert.deepEqual([elsewhere.status, /belongs to another browser/.test(elsewhere.text)], [400, true]);
    const shown = await agent.get(link);
    assert.ok(shown.text.includes(changed), shown.text);
    assert.deepEqual(await state('link'), [former, true]);
    const done = await confirm(agent, shown);
    assert.match(done.text, /Your e-mail address is changed/);
    assert.match(done.text, /link@new\.example \(verified\)/);
    assert.deepEqual(await state('link'), [changed, true]);
    const told = (await lastMail(server, 'address_changed', former)).values;
    assert.deepEqual([told.name, told.address], ['The link', changed]);
    for (const again of [await agent.get(link), await confirm(agent, shown)]) assert.ok(isOver(again));
  });

  it('is confirmed with the code of a mail that is read elsewhere', async () => {
    const { changed, agent } = await person('code');
    const sent = await ask(agent, changed);
    const wrong = await agent.submit(sent, { code: 'BBBB-BBBB', choice: 'code' });
    assert.deepEqual([wrong.status, /code is not right/.test(wrong.text)], [400, true]);
    const done = await agent.submit(wrong, { code: (await mailTo(changed)).code ?? '', choice: 'code' });
    assert.match(done.text, /Your e-mail address is changed/);
    assert.deepEqual(await state('code'), [changed, true]);
  });

  // forgotten-password.test.ts holds it for every such code.
  slowTest('takes five codes for a mail, and then not even the right one', async () => {
    const { former, changed, agent } = await person('guess');
    const sent = await ask(agent, changed);
    for (let count = 0; count < 5; count += 1) {
      await agent.submit(sent, { code: 'BBBBBBBB', choice: 'code' });
    }
    await agent.submit(sent, { code: (await mailTo(changed)).code ?? '', choice: 'code' });
    assert.deepEqual(await state('guess'), [former, true]);
  });

  it('needs the current password, with the limits of a login, and an address of the usual form', async () => {
    const { former, agent } = await person('guarded');
    const before = (await mailsOf(server)).length;
    const given = [await ask(agent, 'no address'), await ask(agent, ''), await ask(agent, former)];
    assert.deepEqual(
      given.map(({ status }) => status),
      [400, 400, 400],
    );
    // No mail can be sent to these.
    for (const address of ['emma,all@example.org', 'emma..jansen@example.org', 'emma@example.org.']) {
      assert.equal((await ask(agent, address)).status, 400, address);
    }
    const injected = await ask(agent, 'emma@example.org\r\nBcc: all@example.org');
    assert.equal(injected.status, 400);
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429 && statuses.length < 12) {
      statuses.push((await ask(agent, 'guarded@new.example', 'wrong')).status);
    }
    assert.deepEqual([statuses[0], statuses.at(-1)], [403, 429]);
    assert.equal((await mailsOf(server)).length, before);
  });

  it('gets the same answer whether another account has it or not', async () => {
    const { former: taken } = await person('other');
    const { agent } = await person('asking');
    const answers = [await ask(agent, taken), await ask(agent, 'free@example.org')];
    assert.equal(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
    for (const to of [taken, 'free@example.org']) assert.equal((await mailTo(to)).code?.length, 9);
  });

  it('ends other sessions and grants, which know the old one, and the browser stays logged in', async () => {
    const { changed, agent } = await person('sessions');
    const elsewhere = await users.browserOf('sessions');
    const { access_token } = await users.grantTo('sessions', await users.browserOf('sessions'));
    await ask(agent, changed);
    await confirm(agent, await agent.get(await linkTo(changed)));
    assert.deepEqual([await isLoggedIn(agent, server), await isLoggedIn(elsewhere, server)], [true, false]);
    assert.notEqual(await users.tokenStatus(access_token), 200);
  });

  it('ends the links for a password that were mailed to the old one', async () => {
    const { former, changed, agent } = await person('links');
    const other = new UserAgent();
    const forgotten = await other.get(`${server.baseUrl}/account/forgotten-password`);
    await other.submit(forgotten, { identifier: 'links', choice: 'ask' });
    const reset = `${server.baseUrl}${(await lastMail(server, 'reset_password', former)).values.path}`;
    const open = await other.get(reset);
    assert.match(open.text, /Choose a password/);
    await ask(agent, changed);
    await confirm(agent, await agent.get(await linkTo(changed)));
    assert.ok(isOver(await other.get(reset)));
    const chosen = 'a new and long one';
    assert.ok(isOver(await other.submit(open, { new_password: chosen, new_password_again: chosen })));
  });

  it('is not confirmed after the account has changed, or has another password', async () => {
    for (const [username, change] of [
      ['renamed', { displayName: 'Another' }],
      ['moved', { email: 'elsewhere@example.org' }],
      ['stopped', { disabled: true }],
    ] as const) {
      const { changed, agent } = await person(username);
      await ask(agent, changed);
      const link = await linkTo(changed);
      const shown = await agent.get(link);
      await accounts().update(username, change, Date.now());
      for (const late of [await agent.get(link), await confirm(agent, shown)]) assert.ok(isOver(late));
      assert.notEqual((await state(username))[0], changed);
    }
    const { changed, agent } = await person('safe');
    await ask(agent, changed);
    const form = await agent.get(`${server.baseUrl}/account/password`);
    const chosen = 'a new and long one';
    await agent.submit(form, { password, new_password: chosen, new_password_again: chosen });
    assert.ok(isOver(await agent.get(await linkTo(changed))));
  });

  it('is in the audit log, with its user, and neither link nor code is in the log', async () => {
    const { former, changed, agent } = await person('audited');
    await ask(agent, changed);
    const { path, code = path } = await mailTo(changed);
    await confirm(agent, await agent.get(await linkTo(changed)));
    const events = await server.service.store.auditEvents.list({ limit: 100 });
    const event = events.find(({ recordName, action }) => recordName === 'audited' && action === 'update');
    assert.deepEqual(
      [event?.actor?.name, event?.before, event?.after],
      ['audited', { email: former, emailVerified: true }, { email: changed, emailVerified: true }],
    );
    const asked = events.find(({ recordName, action }) => recordName === 'audited' && action === 'create');
    const { purpose, address } = asked?.after ?? {};
    assert.deepEqual(
      [asked?.recordType, asked?.actor?.name, purpose, address],
      ['confirmation', 'audited', 'change_address', changed],
    );
    const secret = path.split('link=')[1] ?? path;
    for (const hidden of [secret, code]) assert.ok(!server.log().includes(hidden));
  });

  it('lets who asks again and again for one wait', async () => {
    const { changed, agent } = await person('often');
    const statuses = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await ask(agent, changed)).status);
    assert.deepEqual(statuses, [200, 200, 200, 429]);
  });

  it('stays as it was when its user cancels, also at the last page', async () => {
    const { former, changed, agent } = await person('undecided');
    const cancelled = await agent.submit(await page(agent), { choice: 'cancel' });
    assert.match(cancelled.text, /undecided@example\.org/);
    await ask(agent, changed);
    await agent.submit(await agent.get(await linkTo(changed)), { choice: 'cancel' });
    assert.deepEqual(await state('undecided'), [former, true]);
  });

  it('is set by one of two nodes', onlyOn('postgresql', 'has nodes'), async () => {
    const { changed, agent } = await person('nodes');
    const { database } = server;
    await using other = await startServer({ authenticator: 'password', database }, engine, false, true);
    await ask(agent, changed);
    const { path } = await mailTo(changed);
    const shown = [await agent.get(`${server.baseUrl}${path}`), await agent.get(`${other.baseUrl}${path}`)];
    const answers = await Promise.all(shown.map((each) => confirm(agent, each)));
    assert.equal(answers.filter(isOver).length, 1);
    assert.deepEqual(await state('nodes'), [changed, true]);
  });

  it('has no page and no link where no mail is set up, nor has a forgotten password', async () => {
    await using without = await startServer({ authenticator: 'password' });
    const login = await new UserAgent().get(`${without.baseUrl}/account`);
    assert.doesNotMatch(login.html, /forgotten-password/);
    assert.equal((await without.get('/account/forgotten-password')).status, 404);
    const own = await accountUsers(without);
    const agent = await own.browserOf('root');
    assert.doesNotMatch((await agent.get(`${without.baseUrl}/account`)).html, /account\/address/);
    assert.equal((await without.get('/account/address')).status, 404);
  });
});
