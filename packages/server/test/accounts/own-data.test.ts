import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AuthenticatorApp } from '@watchword/server-testkit/people/authenticator-app';
import {
  type AccountServer,
  isLoggedIn,
  startAccountServer,
} from '@watchword/server-testkit/servers/account-server';
import { anyPerson } from '@watchword/server-testkit/servers/administration';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { sql, tableNames } from '@watchword/server-testkit/servers/sql';
import { slowTest } from '@watchword/testkit';
import { UserAgent } from '@watchword/testkit/user-agent';
import { assertPageHeaders } from '../support/browser-answers.ts';

const password = 'correct horse battery';

let server: AccountServer;
before(async () => {
  const requiredActions = [
    { name: 'terms', version: '1', title: 'House rules', text: 'Read them.', url: 'https://rules.example' },
  ];
  server = await startAccountServer({ requiredActions: JSON.stringify(requiredActions) });
});
after(() => server[Symbol.asyncDispose]());

const url = (path: string) => `${server.baseUrl}${path}`;

/** The tables with a row that contains one of the texts. */
async function tablesWith(texts: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const table of await tableNames(server.database)) {
    const rows = (await sql(server.database, `select * from ${table}`)).map(shown);
    if (rows.some((row) => texts.some((text) => row.includes(text)))) found.add(table);
  }
  return found;
}

function shown(row: object): string {
  return Object.values(row)
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value)))
    .join('\n');
}

/** A person who has logged in, done the step, and given an application access. */
async function person(username: string, adminPrincipal = false): Promise<UserAgent> {
  await server.addAccount(username, adminPrincipal);
  const agent = new UserAgent();
  const step = await agent.submit(await agent.get(url('/account')), { username, password });
  await agent.submit(step, { choice: 'agree' });
  return agent;
}

async function addCredential(username: string): Promise<void> {
  const { credentials, loginSessions } = server.service.store;
  const owner = { identityProvider: 'password', name: username };
  const [session] = await loginSessions.list({ owner, limit: 1 });
  const credential = {
    ...({ id: `id of ${username}`, kind: 'totp', name: 'My phone', counter: 0, data: 'sealed' } as const),
    ...{ subject: session?.owner.subject ?? '', owner, creationDate: Date.now(), lastUsed: 0 },
  };
  assert.ok(await credentials.create(credential, 1));
}

describe('the download of what is stored', () => {
  it('has profile, sessions, applications, credentials, pending links and events, as a file', async () => {
    const agent = await person('dana');
    await server.grantTo('dana', agent);
    const account = await server.service.store.accounts.find('dana');
    const [creationDate, expires] = [Date.now(), Date.now() + 600_000];
    await server.service.store.personLinks.create({
      ...{
        id: '019aa000-0000-7000-8000-000000000001',
        purpose: 'change_address',
        digest: new Uint8Array(32),
      },
      ...{ accountId: account?.id ?? '', address: 'new@example.org', data: 'sealed', creationDate, expires },
    });
    await addCredential('dana');
    const answer = await agent.get(url('/account/data'));
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/json']);
    assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="stored-about-me.json"');
    assert.match(String(answer.headers.get('cache-control')), /no-store/);
    const data = JSON.parse(answer.html);
    const { username, displayName, identityProvider, hasPassword } = data.person;
    assert.deepEqual(
      [username, displayName, identityProvider, hasPassword],
      ['dana', 'The dana', 'password', true],
    );
    assert.equal(data.sessions.length, 1);
    const [granted] = data.applications;
    assert.deepEqual([granted.clientId, granted.grantedScopes.length > 0], ['demo-app', true]);
    const [credential] = data.credentials;
    assert.deepEqual([credential.kind, credential.name, credential.lastUsed], ['totp', 'My phone', null]);
    assert.deepEqual(
      data.pendingLinks.map(({ purpose, address }: Record<string, string>) => [purpose, address]),
      [['change_address', 'new@example.org']],
    );
    const actions = data.events.map(({ action, by }: Record<string, string>) => `${action} by ${by}`);
    assert.deepEqual(
      ['create by somebody else', 'login by you', 'grant by you'].filter((each) => !actions.includes(each)),
      [],
    );
    assert.doesNotMatch(answer.html, /argon2|sealed|"root"/);
    const owner = { identityProvider: 'password', name: 'dana' };
    const [told] = await server.service.store.auditEvents.list({ owner, kind: 'changes', limit: 1 });
    assert.deepEqual(
      [told?.action, told?.actor, told?.recordType, told?.source],
      ['downloadData', owner, 'account', '127.0.0.1'],
    );
  });

  it('leaves out what happened to an earlier account of the same name', async () => {
    await person('kim');
    await server.service.store.accounts.delete('kim', Date.now());
    const agent = await person('kim');
    const { events } = JSON.parse((await agent.get(url('/account/data'))).html);
    const created = events.filter(({ action }: { action: string }) => action === 'create');
    assert.equal(created.length, 1);
  });

  it('asks a browser to log in that is not logged in', async () => {
    const page = await new UserAgent().get(url('/account/data'));
    assert.equal(page.headers.get('content-disposition'), null);
    assert.match(page.html, /name="password"/);
  });
});

describe('deleting the own account', () => {
  it('needs the password, says what goes and what stays, and ends all access at once', async () => {
    const agent = await person('emma');
    const other = await server.browserOf('emma');
    const { access_token } = await server.grantTo('emma', agent);
    const account = await agent.get(url('/account'));
    assert.match(account.html, /href="\/account\/delete"/);
    const page = await agent.get(url('/account/delete'));
    assertPageHeaders(page);
    assert.match(
      page.text,
      /This is deleted at once.*your profile and your password.*This stays:.*record of what/s,
    );
    const wrong = await agent.submit(page, { password: 'not the password' });
    assert.deepEqual([wrong.status, /not your current password/.test(wrong.text)], [403, true]);
    assert.equal(await server.tokenStatus(access_token), 200);
    const done = await agent.submit(wrong, { password });
    assert.deepEqual([done.status, /Your account is deleted/.test(done.text)], [200, true]);
    assert.equal(await server.tokenStatus(access_token), 404);
    for (const each of [agent, other]) assert.ok(!(await isLoggedIn(each, server)));
    const stranger = new UserAgent();
    const login = await stranger.get(url('/account'));
    assert.equal((await stranger.submit(login, { username: 'emma', password })).status, 403);
  });

  it('removes all of it from every table but the audit log and ended grants', async () => {
    const agent = await person('Zaphod');
    await server.grantTo('Zaphod', agent);
    const { accounts, outgoingMail, personLinks, auditEvents } = server.service.store;
    const account = (await accounts.find('Zaphod')) ?? assert.fail('expected the account');
    await personLinks.create({
      ...{
        id: '019aa000-0000-7000-8000-000000000002',
        purpose: 'reset_password',
        digest: new Uint8Array(32),
      },
      ...{ accountId: account.id, address: 'zaphod@example.org', data: 'sealed', creationDate: 1 },
      expires: Date.now() + 600_000,
    });
    await outgoingMail.add({
      ...{ id: '019aa000-0000-7000-8000-000000000003', kind: 'new_device', sealed: 'to zaphod@example.org' },
      ...{ accountId: account.id, attempts: 0, creationDate: 1, nextAttempt: 1, expires: 2 },
    });
    await addCredential('Zaphod');
    const subject = (
      await server.service.store.loginSessions.list({
        owner: { identityProvider: 'password', name: 'Zaphod' },
        limit: 1,
      })
    )[0]?.owner.subject;
    const tables = () => tablesWith(['Zaphod', account.id, subject ?? assert.fail(), 'zaphod@']);
    const all = await tables();
    for (const table of [
      'account',
      'credential',
      'login_session',
      'step_record',
      'person_link',
      'outgoing_mail',
      'authorization_grant',
    ])
      assert.ok(all.has(table), `expected rows in ${table} before`);
    await agent.submit(await agent.get(url('/account/delete')), { password });
    const kept = ['audit_event', 'authorization_grant', 'login_event'];
    assert.deepEqual([...(await tables())].toSorted(), kept);
    const grants = await sql(
      server.database,
      `select revoked_at from authorization_grant where principal_name = 'Zaphod'`,
    );
    assert.ok(grants.length > 0 && grants.every(({ revoked_at }) => Number(revoked_at) > 0));
    const identity = { identityProvider: 'password', name: 'Zaphod' };
    const [deleted] = await auditEvents.list({ person: identity, kind: 'changes', limit: 1 });
    assert.deepEqual(
      [deleted?.action, deleted?.recordType, deleted?.actor.name, deleted?.before],
      ['delete', 'account', 'Zaphod', undefined],
    );
  });

  it('is not possible for the last administrator, nor for a person to whom APIs belong', async () => {
    const last = new UserAgent();
    await last.submit(await last.submit(await last.get(url('/account')), { username: 'root', password }), {
      choice: 'agree',
    });
    const page = await last.get(url('/account/delete'));
    assert.match(page.text, /last administrator who can sign in/);
    assert.doesNotMatch(page.html, /Delete for good/);
    const agent = await person('owner');
    const form = await agent.get(url('/account/delete'));
    await sql(
      server.database,
      `update resource_server set owner_name = 'owner', owner_identity_provider = 'password' where server_key = 'demo-resource-server'`,
    );
    const refused = await agent.submit(form, { password });
    assert.match(refused.text, /APIs\) belong to you here/);
    assert.ok(await isLoggedIn(agent, server));
  });

  it('decides nothing in another login, or from another site', async () => {
    const [agent, other] = [await person('gina'), await person('hugo')];
    const page = await agent.get(url('/account/delete'));
    const authState = page.forms
      .flatMap(({ controls }) => controls)
      .find(({ name }) => name === 'auth_state')?.value;
    const stolen = await other.post(url('/account/delete'), { auth_state: authState ?? '', password });
    assert.equal(stolen.status, 400);
    for (const each of [agent, other]) assert.ok(await isLoggedIn(each, server));
  });

  // change-password.test.ts holds the limits of this check.
  slowTest('is limited as a login is', async () => {
    const agent = await person('lena');
    let page = await agent.get(url('/account/delete'));
    for (let attempt = 0; attempt < 12 && page.status !== 429; attempt += 1)
      page = await agent.submit(page, { password: `wrong ${attempt}` });
    assert.equal(page.status, 429);
    assert.ok(await isLoggedIn(agent, server));
  });

  it('is not there where the operator does not allow it', async () => {
    await using closed = await startServer({ 'account.deletion': 'false' });
    const agent = new UserAgent();
    await agent.submit(await agent.get(`${closed.baseUrl}/account`), { username: 'ada', password: '{}' });
    const account = await agent.get(`${closed.baseUrl}/account`);
    assert.doesNotMatch(account.html, /account\/delete/);
    assert.match(account.html, /account\/data/);
    assert.equal((await agent.get(`${closed.baseUrl}/account/delete`)).status, 404);
  });
});

describe('a person of another identity provider', () => {
  let elsewhere: TestServer;
  before(async () => {
    elsewhere = await startServer({ authenticator: anyPerson });
  });
  after(() => elsewhere[Symbol.asyncDispose]());

  it('of two with one name has the events of each alone in the download', async () => {
    const loggedIn = async (persona: object) => {
      const agent = new UserAgent();
      const login = await agent.get(`${elsewhere.baseUrl}/account`);
      await agent.submit(login, { username: 'lee', password: JSON.stringify(persona) });
      const events = async () => JSON.parse((await agent.get(`${elsewhere.baseUrl}/account/data`)).html);
      return { agent, events };
    };
    const first = await loggedIn({ stableId: 'a' });
    await first.agent.submit(await first.agent.get(`${elsewhere.baseUrl}/logout`), {});
    await loggedIn({});
    const second = await loggedIn({ stableId: 'b' });
    const of = async ({ events: read }: typeof second) => {
      const { events, eventsAreComplete } = await read();
      return [events.map(({ action }: { action: string }) => action), eventsAreComplete];
    };
    assert.deepEqual(await of(second), [['login'], false]);
    assert.deepEqual(await of(second), [['downloadData', 'login'], false]);
    assert.deepEqual(await of(await loggedIn({ stableId: 'a' })), [['login', 'logout', 'login'], false]);
    // Where the name is the identifier, it says of whom an event is.
    const named = await loggedIn({});
    const { events } = await named.events();
    assert.equal(events.at(-1)?.action, 'login');
  });

  it('with a stable id has the factors that the person added, used, renamed and removed in the download', async () => {
    const agent = new UserAgent();
    const logIn = async () =>
      agent.submit(await agent.get(`${elsewhere.baseUrl}/account`), {
        ...{ username: 'lea', password: JSON.stringify({ stableId: 'of lea' }) },
      });
    await logIn();
    const page = await agent.get(`${elsewhere.baseUrl}/account/totp`);
    const added = await agent.submit(page, { code: AuthenticatorApp.of(page).code() });
    const [code = ''] = /(?:\w{4}-){3}\w{4}/.exec(added.text) ?? [];
    await agent.submit(await agent.get(`${elsewhere.baseUrl}/logout`), {});
    const asked = await agent.submit(await logIn(), { choice: 'recovery_code' });
    await agent.submit(asked, { choice: 'recovery_code', code });
    const account = await agent.get(`${elsewhere.baseUrl}/account`);
    const [, path = ''] = /href="([^"]*\/account\/factor\?id=[^"]*)"/.exec(account.html) ?? [];
    await agent.submit(await agent.get(`${elsewhere.baseUrl}${path}`), { name: 'phone' });
    await agent.submit(await agent.get(`${elsewhere.baseUrl}${path}`), { remove: 'yes' });
    const { events, eventsAreComplete } = JSON.parse(
      (await agent.get(`${elsewhere.baseUrl}/account/data`)).html,
    );
    const ofFactors = events
      .filter(({ action }: { action: string }) => /factor|recovery/i.test(action))
      .map(({ action, by }: { action: string; by: string }) => `${action} by ${by}`);
    assert.deepEqual(
      ofFactors,
      ['removeFactor', 'renameFactor', 'useRecoveryCode', 'addFactor', 'addFactor'].map(
        (action) => `${action} by you`,
      ),
    );
    assert.ok(eventsAreComplete);
  });

  it('downloads and deletes what this server stores, after a new login', async () => {
    const agent = new UserAgent();
    await agent.submit(await agent.get(`${elsewhere.baseUrl}/account`), { username: 'ada', password: '{}' });
    const data = JSON.parse((await agent.get(`${elsewhere.baseUrl}/account/data`)).html);
    assert.deepEqual([data.person.identityProvider, data.person.name], ['any-person', 'ada']);
    const page = await agent.get(`${elsewhere.baseUrl}/account/delete`);
    assert.match(page.text, /Delete what is stored about you here.*your account at the service/s);
    assert.doesNotMatch(page.html, /name="password"/);
    const done = await agent.submit(page, {});
    assert.match(done.text, /What was stored about you here is deleted/);
    assert.ok(!(await isLoggedIn(agent, elsewhere)));
    const sessions = await sql(
      elsewhere.database,
      `select id from login_session where principal_name = 'ada'`,
    );
    assert.deepEqual(sessions, []);
    const person = { identityProvider: 'any-person', name: 'ada' };
    const [event] = await elsewhere.service.store.auditEvents.list({ person, kind: 'changes', limit: 1 });
    assert.deepEqual([event?.action, event?.recordType], ['delete', 'resourceOwner']);
  });
});
