import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type AccountServer,
  isLoggedIn,
  startAccountServer,
} from '@watchword/server-testkit/servers/account-server';
import type { Administering } from '@watchword/server-testkit/servers/administration';
import { cheapCost } from '@watchword/server-testkit/servers/server';
import { UserAgent } from '@watchword/testkit/user-agent';
import { argon2Hasher } from '../../src/modules/authentication/password-hasher.ts';
import { systemRandom } from '../../src/system.ts';

const { hash } = argon2Hasher({ random: systemRandom, concurrency: 1, cost: cheapCost });
const [short, long] = ['eight ch', 'correct horse battery'];

let server: AccountServer;
let root: Administering;
before(async () => {
  server = await startAccountServer();
  root = await server.logIn('root');
});
after(() => server[Symbol.asyncDispose]());

/** A person whose only factor an administrator has removed. */
async function withoutFactor(username: string, password: string, isReset = true): Promise<void> {
  await server.addAccount(username);
  const { accounts, credentials } = server.service.store;
  const { passwordHash } = (await accounts.find(username)) ?? assert.fail();
  assert.ok(await accounts.replaceHash(username, passwordHash, await hash(password)));
  if (!isReset) return;
  const [{ subject }] = (await root.get(`/admin/account?username=${username}`)).json;
  const owner = { identityProvider: 'password', name: username };
  const app = { kind: 'totp', name: '', creationDate: 0, lastUsed: 0, counter: 0, data: '{}' } as const;
  assert.ok(await credentials.create({ ...app, id: `app of ${username}`, subject, owner }, 1));
  const person = new URLSearchParams({ resourceOwnerId: username, identityProvider: 'password' });
  assert.equal((await root.call('DELETE', `/admin/factor?${person}`)).status, 200);
}

async function logIn(username: string, password: string, agent = new UserAgent()) {
  const login = await agent.get(`${server.baseUrl}/account`);
  return { agent, page: await agent.submit(login, { username, password }) };
}

describe('a password beside which an administrator removed the last factor', () => {
  it('is replaced in the next login where it is too short to be alone', async () => {
    await withoutFactor('emma', short);
    const { agent, page } = await logIn('emma', short);
    assert.match(page.text, /second factor was removed.*at least .15. characters/);
    assert.ok(!(await isLoggedIn(agent, server)));
    const set = (new_password: string, new_password_again = new_password, from = page) =>
      agent.submit(from, { new_password, new_password_again });
    assert.match((await set('nine char')).text, /needs at least 15 characters/);
    assert.match((await set('a new and long one', 'another long one')).text, /not the same/);
    assert.ok(!(await isLoggedIn(agent, server)));
    await set('a new and long one');
    assert.ok(await isLoggedIn(agent, server));
    assert.match((await logIn('emma', short)).page.text, /do not match/);
    const again = await logIn('emma', 'a new and long one');
    assert.ok(await isLoggedIn(again.agent, server));
    const sessions = await server.service.store.loginSessions.list({ limit: 99 });
    assert.ok(sessions.every(({ authentication }) => authentication.mustReplacePassword === undefined));
  });

  it('lets nobody go on who has logged in with it before it was replaced', async () => {
    await withoutFactor('hana', short);
    const [mallory, owner] = [await logIn('hana', short), await logIn('hana', short)];
    const set = ({ agent, page }: typeof owner, new_password: string) =>
      agent.submit(page, { new_password, new_password_again: new_password });
    await set(owner, 'a new and long one');
    assert.ok(await isLoggedIn(owner.agent, server));
    await set(mallory, 'what mallory chose');
    assert.ok(!(await isLoggedIn(mallory.agent, server)));
    assert.match((await logIn('hana', 'what mallory chose')).page.text, /do not match/);
    assert.ok(await isLoggedIn((await logIn('hana', 'a new and long one')).agent, server));
  });

  it('stays where it is long enough, and where nobody removed a factor', async () => {
    await withoutFactor('finn', long);
    assert.ok(await isLoggedIn((await logIn('finn', long)).agent, server));
    await withoutFactor('gina', short, false);
    assert.ok(await isLoggedIn((await logIn('gina', short)).agent, server));
  });
});
