import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type MailServer, startMailServer } from '@watchword/server-testkit/neighbours/mail-server';
import {
  type AccountServer,
  isLoggedIn,
  startAccountServer,
} from '@watchword/server-testkit/servers/account-server';
import { freePort } from '@watchword/testkit/free-port';
import { UserAgent } from '@watchword/testkit/user-agent';
import { password } from '../support/login-dependencies.ts';

const chosen = 'a new and long one';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Its pages, and a user of an account with an address. */
interface Served extends AsyncDisposable {
  readonly server: AccountServer;
  newUser(locale?: string): Promise<string>;
}

async function serve(url: string): Promise<Served> {
  const server = await startAccountServer({ 'mail.url': url, 'mail.from': 'no-reply@example.org' });
  let users = 0;
  return {
    server,
    async newUser(locale = 'nl') {
      users += 1;
      const username = `user-${users}`;
      await server.addAccount(username);
      const email = `${username}@example.org`;
      await server.service.store.accounts.update(username, { email, locale }, Date.now());
      return username;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const waiting = async ({ service }: AccountServer) => (await service.store.outgoingMail.waiting()).count;

describe('the owner of an account with an address', () => {
  let mailServer: MailServer;
  let served: Served;
  before(async () => {
    mailServer = await startMailServer();
    served = await serve(mailServer.url);
  });
  after(async () => {
    await served?.[Symbol.asyncDispose]();
    await mailServer[Symbol.asyncDispose]();
  });

  async function logIn(username: string, agent: UserAgent): Promise<void> {
    const { baseUrl } = served.server;
    const page = await agent.get(`${baseUrl}/authorize?response_type=code&client_id=demo-app&prompt=login`);
    await agent.submit(page, { username, password });
  }

  async function changePassword(agent: UserAgent): Promise<void> {
    const fields = { password, new_password: chosen, new_password_again: chosen };
    await agent.submit(await agent.get(`${served.server.baseUrl}/account/password`), fields);
  }

  /** What came when the server has no mail left. */
  async function mailsTo(username: string) {
    while ((await waiting(served.server)) > 0) await new Promise((resolve) => setImmediate(resolve));
    const mails = mailServer.received.filter(({ to }) => to === `${username}@example.org`);
    return mails.map(({ mail }) => mail);
  }
  const subjects = (mails: readonly { readonly subject?: string | undefined }[]) =>
    mails.map(({ subject }) => subject).sort();

  it('learns of a login on a new device, and of no other login there, and of a new password', async () => {
    const username = await served.newUser();
    const agent = new UserAgent({ 'user-agent': firefox });
    await logIn(username, agent);
    await logIn(username, agent);
    await changePassword(agent);
    const mails = await mailsTo(username);
    assert.deepEqual(subjects(mails), ['Je wachtwoord is gewijzigd', 'Nieuwe aanmelding bij je account']);
    assert.match(mails.map(({ text }) => text).join(), new RegExp(`${username} .*Firefox, Linux`));
  });

  it('gets mails in the language of the browser where the account has none', async () => {
    const username = await served.newUser('');
    const agent = new UserAgent({ 'user-agent': firefox, 'accept-language': 'nl' });
    await logIn(username, agent);
    await changePassword(agent);
    const mails = await mailsTo(username);
    assert.deepEqual(subjects(mails), ['Je wachtwoord is gewijzigd', 'Nieuwe aanmelding bij je account']);
  });

  it('gets no mail of a wrong password, and without an address none at all', async () => {
    const username = await served.newUser();
    const before = mailServer.received.length;
    await served.server.browserOf(username, 'a wrong password');
    await served.server.browserOf('root');
    assert.equal(await waiting(served.server), 0);
    assert.equal(mailServer.received.length, before);
  });
});

describe('the owner of an account, while the mail server is down', () => {
  let served: Served;
  before(async () => {
    served = await serve(`smtp://127.0.0.1:${await freePort()}`);
  });
  after(() => served?.[Symbol.asyncDispose]());

  it('is logged in, is told of few logins in a row from one network, and of each account apart', async () => {
    const { server } = served;
    const username = await served.newUser();
    for (const logins of [3, 2]) {
      for (let login = 0; login < logins; login += 1) {
        assert.ok(await isLoggedIn(await server.browserOf(username), server));
      }
      assert.equal(await waiting(server), 3);
    }
    await server.browserOf(await served.newUser());
    assert.equal(await waiting(server), 4);
  });
});
