import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AccountServer, isLoggedIn, startAccountServer } from '@watchword/server-testkit/account-server';
import { type MailServer, startMailServer } from '@watchword/server-testkit/mail-server';
import { freePort } from '@watchword/testkit/free-port';
import { UserAgent } from '@watchword/testkit/user-agent';
import { password } from '../support/login-dependencies.ts';

const chosen = 'a new and long one';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

async function serverWithEmma(url: string, locale = 'nl'): Promise<AccountServer> {
  const server = await startAccountServer({ 'mail.url': url, 'mail.from': 'no-reply@example.org' });
  await server.addAccount('emma');
  await server.service.store.accounts.update('emma', { email: 'emma@example.org', locale }, Date.now());
  return server;
}

async function logIn({ baseUrl }: AccountServer, agent: UserAgent): Promise<void> {
  const page = await agent.get(`${baseUrl}/authorize?response_type=code&client_id=demo-app&prompt=login`);
  await agent.submit(page, { username: 'emma', password });
}

async function changePassword({ baseUrl }: AccountServer, agent: UserAgent): Promise<void> {
  const fields = { password, new_password: chosen, new_password_again: chosen };
  await agent.submit(await agent.get(`${baseUrl}/account/password`), fields);
}

async function subjects(mailServer: MailServer, count: number) {
  const received = await mailServer.until(count);
  return received.map(({ to, mail }) => `${to}: ${mail.subject}`).sort();
}

describe('the owner of an account with an address', () => {
  it('learns of a login on a new device, and of no other login there, and of a new password', async () => {
    await using mailServer = await startMailServer();
    await using server = await serverWithEmma(mailServer.url);
    const agent = new UserAgent({ 'user-agent': firefox });
    await logIn(server, agent);
    await logIn(server, agent);
    await changePassword(server, agent);
    assert.deepEqual(await subjects(mailServer, 2), [
      'emma@example.org: Je wachtwoord is gewijzigd',
      'emma@example.org: Nieuwe aanmelding bij je account',
    ]);
    assert.match(mailServer.received.map(({ mail }) => mail.text).join(), /emma .*Firefox, Linux/);
    while ((await server.service.store.outgoingMail.waiting()).count > 0)
      await new Promise((resolve) => setImmediate(resolve));
    assert.equal(mailServer.received.length, 2);
  });

  it('gets mails in the language of the browser where the account has none', async () => {
    await using mailServer = await startMailServer();
    await using server = await serverWithEmma(mailServer.url, '');
    const agent = new UserAgent({ 'user-agent': firefox, 'accept-language': 'nl' });
    await logIn(server, agent);
    await changePassword(server, agent);
    assert.deepEqual(await subjects(mailServer, 2), [
      'emma@example.org: Je wachtwoord is gewijzigd',
      'emma@example.org: Nieuwe aanmelding bij je account',
    ]);
  });

  it('is told of few logins in a row from one network, and of each account apart', async () => {
    await using server = await serverWithEmma(`smtp://127.0.0.1:${await freePort()}`);
    const { accounts, outgoingMail } = server.service.store;
    const count = async () => (await outgoingMail.waiting()).count;
    for (const logins of [3, 2]) {
      for (let login = 0; login < logins; login += 1) {
        assert.ok(await isLoggedIn(await server.browserOf('emma'), server));
      }
      assert.equal(await count(), 3);
    }
    await server.addAccount('noor');
    await accounts.update('noor', { email: 'noor@example.org' }, Date.now());
    await server.browserOf('noor');
    assert.equal(await count(), 4);
  });

  it('is logged in while the mail server is down', async () => {
    await using server = await serverWithEmma(`smtp://127.0.0.1:${await freePort()}`);
    const agent = await server.browserOf('emma');
    assert.ok(await isLoggedIn(agent, server));
    assert.equal((await server.service.store.outgoingMail.waiting()).count, 1);
  });
});

describe('a wrong password, and an account without an address', () => {
  it('cause no mail', async () => {
    await using mailServer = await startMailServer();
    await using server = await serverWithEmma(mailServer.url);
    await server.browserOf('emma', 'a wrong password');
    await server.browserOf('root');
    assert.deepEqual(await server.service.store.outgoingMail.waiting(), { count: 0, oldest: undefined });
    assert.deepEqual(mailServer.received, []);
  });
});
