import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { lastMail, mailsOf } from '@watchword/server-testkit/neighbours/mailbox';
import { addPasskey, newPasskey, optionsOf, usePasskey } from '@watchword/server-testkit/people/passkeys';
import {
  type AccountUsers,
  accountsPath,
  accountUsers,
} from '@watchword/server-testkit/servers/account-server';
import type { Administering } from '@watchword/server-testkit/servers/administration';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { engine } from '@watchword/server-testkit/servers/engine';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { Authenticator } from '@watchword/testkit/authenticator';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { assertErrorPage } from '../support/browser-answers.ts';
import { assertError } from '../support/error-answers.ts';

let server: TestServer & AccountUsers;
let root: Administering;
before(async () => {
  const flags = { registration: 'invitation', 'account.passwordByRecoveryCode': 'true' };
  const started = await startServer({ authenticator: 'password', ...flags }, engine, false, true);
  server = { ...started, ...(await accountUsers(started)) };
  root = await server.logIn('root');
});
after(() => server[Symbol.asyncDispose]());

const url = (path: string) => `${server.baseUrl}${path}`;
const chosen = 'a new and long one';
const typed = { new_password: chosen, new_password_again: chosen };
/** Links begin with the configured address, which is another name of this machine. */
const open = (link: string, agent = new UserAgent()) => {
  const { pathname, search } = new URL(link);
  return agent.get(url(`${pathname}${search}`));
};
const codesOn = ({ html }: Page) => Array.from(html.matchAll(/<code>([^<]+)<\/code>/g), ([, code]) => code);
const asksPassword = ({ html }: Page) => /type="password"/.test(html);

/** A person who has a passkey and no password. */
async function withPasskey(username: string, adminPrincipal = false): Promise<Authenticator> {
  await server.addAccount(username, adminPrincipal);
  const authenticator = await addPasskey(server, username);
  const change = { passwordHash: undefined, email: `${username}@example.org` };
  await server.service.store.accounts.update(username, change, Date.now());
  return authenticator;
}

async function logInByPasskey(authenticator: Authenticator): Promise<Page> {
  const agent = new UserAgent();
  await usePasskey(agent, await agent.get(url('/account')), authenticator, server);
  return agent.get(url('/account'));
}

describe('an invitation that asks for a passkey', () => {
  it('makes an account with a passkey and no password, and gives recovery codes', async () => {
    const { link, passkey } = await root.create('/admin/invitation', { passkey: true, groups: ['staff'] });
    assert.equal(passkey, true);
    const agent = new UserAgent();
    const names = await open(link, agent);
    assert.ok(!asksPassword(names));
    assert.match((await agent.submit(names, { username: 'root' })).text, /Somebody else has this user name/);
    const page = await agent.submit(names, { username: 'ina', display_name: 'Ina' });
    const { user } = optionsOf(page);
    assert.deepEqual([user.name, user.displayName], ['ina', 'Ina']);
    assert.match((await agent.submit(page, { passkey: '' })).text, /needs a browser that runs scripts/);
    const authenticator = new Authenticator();
    const made = await agent.submit(page, newPasskey(page, authenticator, server));
    assert.match(made.text, /Your account is made/);
    assert.equal(codesOn(made).length, 10);
    const account = await server.service.store.accounts.find('ina');
    assert.deepEqual([account?.passwordHash, account?.groups], [undefined, ['staff']]);
    assert.equal(Buffer.from(user.id, 'base64url').toString(), account?.id);
    assert.match((await logInByPasskey(authenticator)).text, /Passkey/);
    assertErrorPage(await open(link));
  });

  it('never makes an account of an answer that is forged or sent twice, or with the name of somebody else', async () => {
    const { link } = await root.create('/admin/invitation', { passkey: true });
    const agent = new UserAgent();
    const page = await agent.submit(await open(link, agent), { username: 'jon' });
    const forged = { clientData: { origin: 'https://evil.example' } };
    const refused = await agent.submit(page, newPasskey(page, new Authenticator(), server, forged));
    assert.match(refused.text, /was not accepted/);
    const replayed = await agent.submit(page, newPasskey(page, new Authenticator(), server));
    assert.match(replayed.text, /took too long/);
    const theirs = await withPasskey('kate');
    const stolen = await agent.submit(replayed, newPasskey(replayed, theirs, server));
    assert.match(stolen.text, /was not accepted/);
    assert.equal(await server.service.store.accounts.find('jon'), undefined);
    await server.addAccount('jon');
    const taken = await agent.submit(stolen, newPasskey(stolen, new Authenticator(), server));
    assert.match(taken.text, /Somebody else has this user name/);
  });
});

describe('an account that an administrator makes for a passkey', () => {
  it('gets the passkey by its link, once, and no password by it', async () => {
    const { resetLink } = await root.create(accountsPath, { username: 'pat', passkey: true });
    const agent = new UserAgent();
    const page = await open(resetLink, agent);
    assert.ok(!asksPassword(page));
    const auth_state = /name="auth_state" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    const { origin, href } = new URL(page.url);
    const byPassword = await agent.post(href, { auth_state, ...typed }, { origin });
    assertErrorPage(byPassword);
    const authenticator = new Authenticator();
    const added = await agent.submit(page, newPasskey(page, authenticator, server));
    assert.match(added.text, /Your passkey is added/);
    assert.equal(codesOn(added).length, 10);
    assert.match((await logInByPasskey(authenticator)).text, /Passkey/);
    assertErrorPage(await open(resetLink));
    assert.equal((await server.service.store.accounts.find('pat'))?.passwordHash, undefined);
  });

  it('skips no factor: there is no link for one that has a factor, and a link is of no use then', async () => {
    await withPasskey('quin');
    const { accounts } = server.service.store;
    const idOf = async (username: string) => (await accounts.find(username))?.id;
    const reset = (id?: string) => root.call('POST', `${accountsPath}/${id}/resetLink?passkey=true`);
    assertError(await reset(await idOf('quin')), 409, 'conflict');
    await server.addAccount('ray');
    const { json } = await reset(await idOf('ray'));
    assert.equal((await accounts.find('ray'))?.passwordHash, undefined);
    const agent = new UserAgent();
    const page = await open(json.resetLink, agent);
    await addPasskey(server, 'ray');
    assertErrorPage(await agent.submit(page, newPasskey(page, new Authenticator(), server)));
    assertErrorPage(await open(json.resetLink));
  });
});

describe('a mail to a person who has a passkey and no password', () => {
  const ask = async (identifier: string, agent: UserAgent) =>
    agent.submit(await agent.get(url('/account/forgotten-password')), { identifier, choice: 'ask' });

  it('gives no password where there is no recovery code, and the page tells nobody', async () => {
    await withPasskey('rita');
    const agent = new UserAgent();
    const sent = await ask('rita', agent);
    assert.equal(sent.text, (await ask('nobody', agent)).text);
    await lastMail(server, 'no_password', 'rita@example.org');
    assert.ok(
      (await mailsOf(server)).every(({ kind, to }) => kind !== 'reset_password' || !to.startsWith('rita')),
    );
  });

  it('gives a first one with a recovery code, where the operator allows it, and skips no factor', async () => {
    await server.addAccount('sven');
    const browser = await server.browserOf('sven');
    const page = await browser.get(url('/account/passkey'));
    const authenticator = new Authenticator();
    const codes = codesOn(await browser.submit(page, newPasskey(page, authenticator, server)));
    const { accounts } = server.service.store;
    const email = 'sven@example.org';
    await accounts.update('sven', { passwordHash: undefined, email }, Date.now());
    const agent = new UserAgent();
    await ask('sven', agent);
    const { values } = await lastMail(server, 'reset_password', email);
    const form = await agent.get(url(values.path));
    assert.match(form.text, /no password.*recovery codes/);
    for (const code of ['', '0000-0000-0000-0000']) {
      const wrong = await agent.submit(form, { ...typed, code });
      assert.deepEqual([wrong.status, /none of your recovery codes/.test(wrong.text)], [403, true]);
    }
    assert.equal((await accounts.find('sven'))?.passwordHash, undefined);
    assert.match((await agent.submit(form, { ...typed, code: codes[0] ?? '' })).text, /password is saved/);
    assert.equal((await lastMail(server, 'recovery_code_used', email)).values.left, 9);
    const login = new UserAgent();
    const asked = await login.submit(await login.get(url('/account')), {
      username: 'sven',
      password: chosen,
    });
    assert.match(asked.text, /Confirm that it is you/);
  });
});

describe('a person who has a passkey alone', () => {
  it('proves with it what others prove with the password, in a session that goes on', async () => {
    const authenticator = await withPasskey('emma');
    const agent = new UserAgent();
    await usePasskey(agent, await agent.get(url('/account')), authenticator, server);
    using clock = stoppedClock();
    const paths = ['password', 'address', 'passkey', 'totp', 'delete'].map((name) => `/account/${name}`);
    for (const path of paths) {
      clock.advance(700);
      const login = await agent.get(url(path));
      assert.match(login.text, /Use a passkey/, path);
      const { location } = await usePasskey(agent, login, authenticator, server);
      assert.equal(location, `${server.service.baseUrl}${path}`);
      const page = await agent.get(url(path));
      assert.doesNotMatch(page.html, /name="password"|just now/, path);
    }
    clock.advance(700);
    const login = await agent.get(url('/account/delete'));
    await usePasskey(agent, login, authenticator, server);
    const deleted = await agent.submit(await agent.get(url('/account/delete')), {});
    assert.match(deleted.text, /deleted/i);
    assert.equal(await server.service.store.accounts.find('emma'), undefined);
  });
});

describe('a reset link', () => {
  it('is of no use once the owner has set a password without it', async () => {
    const authenticator = await withPasskey('vera');
    const { id } = (await server.service.store.accounts.find('vera')) ?? assert.fail();
    const { json } = await root.call('POST', `${accountsPath}/${id}/resetLink`);
    const mallory = new UserAgent();
    const stolen = await open(json.resetLink, mallory);
    const agent = new UserAgent();
    await usePasskey(agent, await agent.get(url('/account')), authenticator, server);
    await agent.submit(await agent.get(url('/account/password')), typed);
    const { passwordHash } = (await server.service.store.accounts.find('vera')) ?? assert.fail();
    assert.ok(passwordHash !== undefined);
    assertErrorPage(await open(json.resetLink));
    const other = { new_password: 'what mallory chose', new_password_again: 'what mallory chose' };
    assertErrorPage(await mallory.submit(stolen, other));
    assert.equal((await server.service.store.accounts.find('vera'))?.passwordHash, passwordHash);
  });
});

describe('an administrator who has a passkey alone', () => {
  it('can log in, and so counts as one who is left', async () => {
    const { accounts, credentials } = server.service.store;
    await withPasskey('ada', true);
    const idOf = async (username: string) => (await accounts.find(username))?.id;
    const [ofRoot, ofAda] = [await idOf('root'), await idOf('ada')];
    const { subject } = (await root.get(`${accountsPath}/${ofAda}`)).json;
    await credentials.deleteBySubject(subject);
    assertError(await root.call('DELETE', `${accountsPath}/${ofRoot}`), 409, 'conflict');
    await addPasskey(server, 'ada');
    assert.equal((await root.call('DELETE', `${accountsPath}/${ofRoot}`)).status, 200);
  });
});
