import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createBearerValue } from '@watchword/protocol';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { lastMail, mailsOf } from '@watchword/server-testkit/neighbours/mailbox';
import {
  type AccountUsers,
  accountUsers,
  isLoggedIn,
} from '@watchword/server-testkit/servers/account-server';
import { engine } from '@watchword/server-testkit/servers/engine';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { buildAccount, seededRandom } from '@watchword/testkit';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { assertErrorPage, assertPageHeaders } from '../support/browser-answers.ts';

// A test can have an address of its own, which a proxy sends.
const open = { authenticator: 'password', registration: 'open', trustedProxies: '127.0.0.1' };
const chosen = 'a long text for a door';
const typed = (username: string, more: Readonly<Record<string, string>> = {}) => ({
  ...{ username, display_name: 'Iris Example', new_password: chosen, new_password_again: chosen },
  ...more,
});
const start = (flags: Parameters<typeof startServer>[0] = open) => startServer(flags, engine, false, true);

describe('sign-up', () => {
  let server: TestServer;
  let users: AccountUsers;
  /** Without registration. */
  let closed: TestServer;
  before(async () => {
    server = await start();
    users = await accountUsers(server);
    closed = await start({ authenticator: 'password' });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await closed[Symbol.asyncDispose]();
  });

  const ask = async (email: string, agent = new UserAgent(), { baseUrl } = server) =>
    agent.submit(await agent.get(`${baseUrl}/account/sign-up`), { email, choice: 'ask' });
  const mailTo = async (email: string, of = server) => (await lastMail(of, 'confirm_address', email)).values;
  const linkTo = async (email: string, of = server) => `${of.baseUrl}${(await mailTo(email, of)).path}`;
  const accountsOf = (email: string, { service } = server) => service.store.accounts.listByEmail(email, 9);
  const isForm = ({ text }: Page) => /Make your account/.test(text);

  it('makes an account, which is no administrator, once its address is confirmed, and none before', async () => {
    const email = 'iris@example.org';
    const agent = new UserAgent();
    const sent = await ask(email, agent);
    assertPageHeaders(sent);
    assert.match(sent.text, /A mail is on its way to this address/);
    const page = await agent.get(await linkTo(email));
    assert.ok(isForm(page) && page.text.includes(email), page.text);
    assert.deepEqual(await accountsOf(email), []);
    const made = await agent.submit(page, typed('iris'));
    assert.match(made.text, /Your account is made/);
    const [account] = await accountsOf(email);
    assert.deepEqual(
      [account?.username, account?.displayName, account?.email, account?.emailVerified],
      ['iris', 'Iris Example', email, true],
    );
    assert.deepEqual([account?.adminPrincipal, account?.groups, account?.roles], [false, [], []]);
    assert.ok(await isLoggedIn(await users.browserOf('iris', chosen), server));
    const person = { identityProvider: 'password', name: 'iris' };
    const events = await server.service.store.auditEvents.list({ person, kind: 'changes', limit: 9 });
    assert.ok(events.some(({ action, recordType }) => action === 'create' && recordType === 'account'));
    assert.ok(!JSON.stringify(events).includes(chosen) && !server.log().includes(chosen));
    const { text } = await server.get('/metrics');
    for (const event of ['sign_up_asked', 'signed_up'])
      assert.match(text, new RegExp(`^watchword_account_events_total\\{event="${event}"\\} 1$`, 'm'));
  });

  it('goes on with the code of a mail that is read elsewhere, and not with another one', async () => {
    const email = 'code@example.org';
    const agent = new UserAgent();
    const sent = await ask(email, agent);
    const wrong = await agent.submit(sent, { code: 'BBBB-BBBB' });
    assert.deepEqual([wrong.status, /code is not right/.test(wrong.text)], [400, true]);
    const page = await agent.submit(wrong, { code: (await mailTo(email)).code ?? '' });
    assert.ok(isForm(page), page.text);
    assert.match((await agent.submit(page, typed('code'))).text, /Your account is made/);
  });

  it('belongs to the browser that asked: who asks for the address of a victim gets no account, nor does the victim give one', async () => {
    const email = 'victim@example.org';
    const attacker = new UserAgent();
    await ask(email, attacker);
    const link = await linkTo(email);
    const elsewhere = await new UserAgent().get(link);
    assert.deepEqual([elsewhere.status, /belongs to another browser/.test(elsewhere.text)], [400, true]);
    const victim = new UserAgent();
    await ask(email, victim);
    await victim.submit(await victim.get(await linkTo(email)), typed('victim'));
    assert.equal((await accountsOf(email)).length, 1);
    // The earlier link makes no second account of the address.
    assertErrorPage(await attacker.submit(await attacker.get(link), typed('second')), 400);
    assert.equal((await accountsOf(email)).length, 1);
  });

  it('answers the same whether the address has an account or not, and tells its owner alone', async () => {
    const email = 'taken@example.org';
    await server.service.store.accounts.create(buildAccount({ username: 'taken', email }));
    const answers = await Promise.all(
      [email, email.toUpperCase(), 'free@example.org'].map(async (address) => {
        const { status, text } = await ask(address);
        return `${status} ${text}`;
      }),
    );
    assert.equal(new Set(answers).size, 1);
    const mails = await mailsOf(server);
    assert.deepEqual(
      mails.filter(({ to }) => to === email).map(({ kind }) => kind),
      ['address_taken', 'address_taken'],
    );
    assert.equal((await lastMail(server, 'address_taken', email)).values.name, 'taken');
    const events = await server.service.store.auditEvents.list({ kind: 'changes', limit: 1000 });
    const asked = events.filter(({ recordType }) => recordType === 'confirmation').slice(0, 3);
    // An address that was never confirmed is not kept for as long as the audit log.
    assert.deepEqual(
      asked.map(({ recordName, source, actor }) => [recordName.toLowerCase(), source, actor.name]),
      Array(3).fill(['@example.org', '127.0.0.1', 'watchword']),
    );
    assert.doesNotMatch(JSON.stringify(asked), /taken|free/i);
  });

  it('makes one account of many forms at the same time', async () => {
    const email = 'race@example.org';
    const agent = new UserAgent();
    await ask(email, agent);
    const page = await agent.get(await linkTo(email));
    const names = ['race-1', 'race-2', 'race-3'];
    const made = await Promise.all(names.map((name) => agent.submit(page, typed(name))));
    assert.equal(made.filter(({ status }) => status === 200).length, 1);
    assert.equal((await accountsOf(email)).length, 1);
  });

  it('keeps the link when the name is taken, or a field is not right', async () => {
    const email = 'again@example.org';
    await server.service.store.accounts.create(buildAccount({ username: 'occupied' }));
    const agent = new UserAgent();
    await ask(email, agent);
    let page = await agent.get(await linkTo(email));
    for (const [fields, told] of [
      [typed('occupied'), /Somebody else has this user name/],
      // Applications that know people by such a name would take it for that of its owner.
      [typed('boss@example.org'), /must be your own/],
      [typed('again', { new_password_again: 'other' }), /differ|same/i],
      [typed('again', { new_password: 'short', new_password_again: 'short' }), /15/],
    ] as const) {
      page = await agent.submit(page, fields);
      assert.deepEqual([page.status, told.test(page.text)], [400, true], page.text);
    }
    assert.match((await agent.submit(page, typed('Again@example.org'))).text, /Your account is made/);
  });

  it('tells of few names in a row whether they are taken', async () => {
    const email = 'guesser@example.org';
    await server.service.store.accounts.create(buildAccount({ username: 'guessed' }));
    const agent = new UserAgent();
    await ask(email, agent);
    let page = await agent.get(await linkTo(email));
    const statuses = [];
    for (let count = 0; count < 5; count += 1) {
      page = await agent.submit(page, typed('guessed'));
      statuses.push(page.status);
    }
    const free = await agent.submit(page, typed('free-name'));
    assert.deepEqual([...statuses, free.status], [400, 400, 400, 400, 400, 429]);
    assert.match(free.headers.get('retry-after') ?? '', /^[1-5]$/);
    assert.ok(isForm(free), free.text);
    assert.deepEqual(await accountsOf(email), []);
  });

  it('leads back to the login in which the account was missing', async () => {
    const agent = new UserAgent();
    const query = new URLSearchParams({ response_type: 'code', client_id: 'demo-app', state: 'kept' });
    const login = await agent.get(`${server.baseUrl}/authorize?${query}`);
    const asking = await agent.submit(login, { sign_up: 'yes' });
    await agent.submit(asking, { email: 'back@example.org', choice: 'ask' });
    const made = await agent.submit(await agent.get(await linkTo('back@example.org')), typed('back'));
    const { text } = await agent.submit(await agent.submit(made, {}), { username: 'back', password: chosen });
    assert.match(text, /Allow|demo/i);
  });

  const asking = async (parameters: Readonly<Record<string, string>>, agent: UserAgent, of = server) => {
    const app = await registerApplication(of);
    await of.service.store.clients.update(app.client.id, { ...app.client, trusted: true });
    await of.service.store.refreshRegistry();
    return app.open(parameters, agent);
  };
  /** Makes an account on the page. */
  const signUpOn = async (page: Page, username: string, agent: UserAgent) => {
    const email = `${username}@example.org`;
    await agent.submit(page, { email, choice: 'ask' });
    return agent.submit(await agent.get(await linkTo(email)), typed(username));
  };
  /** Posts the state of the page by one of its buttons. */
  const press = (end: string, page: Page, agent: UserAgent) => {
    const form = page.forms.find(({ action }) => action.endsWith(end)) ?? assert.fail(page.text);
    const fields = Object.fromEntries(form.controls.map(({ name, value }) => [name, value]));
    return agent.post(form.action, fields, { origin: server.baseUrl, 'sec-fetch-site': 'same-origin' });
  };

  it('is where prompt=create leads, and the client gets its answer with the new account', async () => {
    const agent = new UserAgent();
    const page = await asking({ prompt: 'create', state: 'kept' }, agent);
    assert.match(page.text, /Create an account.* to continue to Test Client/);
    const made = await signUpOn(page, 'created', agent);
    const login = await agent.submit(made, {});
    const consent = await agent.submit(login, { username: 'created', password: chosen });
    const answer = await agent.submit(consent, { decision: 'allow' });
    const query = new URL(answer.location ?? assert.fail(answer.text)).searchParams;
    assert.deepEqual([query.has('code'), query.get('state')], [true, 'kept']);
  });

  it('is where prompt=create leads a user who is logged in, who then chooses between the accounts', async () => {
    await users.addAccount('before');
    const agent = await users.browserOf('before');
    const made = await signUpOn(await asking({ prompt: 'create' }, agent), 'beside', agent);
    const choice = await agent.submit(made, {});
    assert.match(choice.text, /before/);
    const login = await agent.submit(choice, { account: 'other' });
    const { text } = await agent.submit(login, { username: 'beside', password: chosen });
    assert.match(text, /Allow/);
  });

  it('lets a person log in instead, or cancel, which answers the client access_denied', async () => {
    for (const from of ['prompt', 'login page']) {
      const agent = new UserAgent();
      const page =
        from === 'prompt'
          ? await asking({ prompt: 'create' }, agent)
          : await agent.submit(await asking({}, agent), { sign_up: 'yes' });
      const login = await press('/account/sign-up/login', page, agent);
      assert.ok(
        login.forms.some(({ controls }) => controls.some(({ name }) => name === 'password')),
        from,
      );
      const { location = '' } = await press('/account/sign-up/cancel', page, agent);
      assert.match(location, /error=access_denied/, from);
    }
  });

  it('comes again in the language that is chosen on it', async () => {
    const agent = new UserAgent();
    const page = await asking({ prompt: 'create' }, agent);
    assert.match((await agent.submit(page, { language: 'nl' })).text, /Account aanmaken.*Test Client/);
  });

  it('is a value of prompt in the metadata where registration is open; elsewhere the value is an error', async () => {
    const promptsOf = async (of: TestServer) =>
      (await of.get('/.well-known/openid-configuration')).json.prompt_values_supported;
    assert.ok((await promptsOf(server)).includes('create'));
    assert.ok(!(await promptsOf(closed)).includes('create'));
    const { location = '' } = await asking({ prompt: 'create' }, new UserAgent(), closed);
    const query = new URL(location).searchParams;
    assert.equal(query.get('error'), 'invalid_request');
    assert.match(query.get('error_description') ?? '', /prompt.*select_account/);
  });

  it('asks for an address to which a mail can be sent', async () => {
    const before = (await mailsOf(server)).length;
    for (const email of [
      '',
      'iris',
      'a@b@example.org',
      'a@example.org, b@example.org',
      'a\r\nBcc: b@example.org',
      // An account cannot have it.
      'émma@example.org',
    ]) {
      const page = await ask(email);
      assert.deepEqual([page.status, /Type an e-mail address/.test(page.text)], [400, true], email);
    }
    assert.equal((await mailsOf(server)).length, before);
  });

  it('is for addresses of the set domains alone', async () => {
    await using own = await start({ ...open, registrationDomains: 'example.org,School.example' });
    for (const email of ['a@example.com', 'a@sub.example.org', 'a@example.org.example']) {
      const page = await ask(email, new UserAgent(), own);
      assert.deepEqual([page.status, /example\.org, school\.example/.test(page.text)], [400, true], email);
    }
    assert.equal((await ask('a@SCHOOL.example', new UserAgent(), own)).status, 200);
    assert.equal((await mailsOf(own)).length, 1);
  });

  it('lets a network wait that asks again and again for one address, taken or not', async () => {
    await server.service.store.accounts.create(
      buildAccount({ username: 'often', email: 'often@example.org' }),
    );
    for (const email of ['often@example.org', 'never@example.org']) {
      const statuses = [];
      for (let count = 0; count < 4; count += 1) {
        statuses.push((await ask(email, new UserAgent({ 'x-forwarded-for': '203.0.113.1' }))).status);
      }
      assert.deepEqual(statuses, [200, 200, 200, 429], email);
    }
  });

  it('has no page and no link unless registration is open', async () => {
    assert.doesNotMatch((await new UserAgent().get(`${closed.baseUrl}/account`)).html, /sign-up/);
    for (const path of ['', '/code', '/account']) {
      assert.equal((await closed.get(`/account/sign-up${path}`)).status, 404);
    }
  });

  it('says of a link that is not valid for how long such a link is, as every page of a link does', async () => {
    const [mailed, made] = (['link', 'reset'] as const).map(
      (kind) => createBearerValue(kind, Date.now(), seededRandom(kind)).value,
    );
    for (const [path, told] of [
      [`sign-up/account?link=${mailed}`, /works once, for 30 minutes/],
      [`address/confirm?link=${mailed}`, /works once, for 30 minutes/],
      [`set-password?link=${mailed}`, /works once, for 30 minutes/],
      [`set-password?link=${made}`, /older than an hour/],
      [`invitation?link=${mailed}`, /was withdrawn, or its time is over/],
    ] as const) {
      const page = await new UserAgent().get(`${server.baseUrl}/account/${path}`);
      assert.deepEqual([page.status, told.test(page.text)], [400, true], page.text);
    }
  });

  it('needs a mail server, without which the server does not start', async () => {
    await assert.rejects(startServer(open), /mail\.url|mail-url/);
  });

  it('is in no log line, with neither link nor code nor address', async () => {
    for (const { kind, to, values } of await mailsOf(server)) {
      if (kind !== 'confirm_address') continue;
      const link = values.path.split('link=')[1] ?? values.path;
      for (const secret of [link, values.code ?? link, to]) assert.ok(!server.log().includes(secret));
    }
  });
});
