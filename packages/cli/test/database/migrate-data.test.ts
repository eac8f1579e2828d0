import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { AuthenticatorApp } from '@watchword/server-testkit/people/authenticator-app';
import { addPasskey, usePasskey } from '@watchword/server-testkit/people/passkeys';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { accountUsers, isLoggedIn } from '@watchword/server-testkit/servers/account-server';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { onlyOn, sealingFlags } from '@watchword/server-testkit/servers/engine';
import {
  copyDemo,
  demoResourceServer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import type { Authenticator } from '@watchword/testkit/authenticator';
import { followFlow } from '@watchword/testkit/follow-flow';
import { freePort } from '@watchword/testkit/free-port';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { databases, move } from '../support/moved-database.ts';

const app = 'demo-app:demo-app-client-secret';
const authorize = '/authorize?response_type=code&client_id=demo-app';

const redeem = (server: TestServer, code: string) =>
  server.post('/oauth2/token', { grant_type: 'authorization_code', code }, app);
const refresh = (server: TestServer, refresh_token: string) =>
  server.post('/oauth2/token', { grant_type: 'refresh_token', refresh_token }, app);
const lookUp = (server: TestServer, token: string) =>
  server.get(`/v1/tokeninfo?access_token=${token}`, { authorization: `Basic ${btoa(demoResourceServer)}` });

/** emma logs in with her browser, and the client redeems the code. */
async function logIn(server: TestServer, agent: UserAgent) {
  const { parameters } = await followFlow(agent, `${server.baseUrl}${authorize}`);
  const { json } = await redeem(server, parameters.get('code') ?? '');
  return { token: String(json.access_token), refreshToken: String(json.refresh_token) };
}

async function passwordOf(agent: UserAgent, { baseUrl }: TestServer) {
  const login = await agent.get(`${baseUrl}/account`);
  return agent.submit(login, { username: 'emma', password: 'correct horse battery' });
}

interface Proofs {
  /** A browser that emma trusts. */
  readonly agent?: UserAgent;
  /** On which emma added the app. */
  readonly page: Page;
  readonly passkey: Authenticator;
  /** A recovery code. */
  readonly code: string;
}

/** emma logs in with each of her factors. */
async function provesAll(server: TestServer, { agent, page, passkey, code }: Proofs) {
  const byCode = async (choice: string, typed: string) => {
    const browser = new UserAgent();
    const step = await browser.submit(await passwordOf(browser, server), { choice });
    await browser.submit(step, { choice, code: typed });
    assert.ok(await isLoggedIn(browser, server), choice);
  };
  await byCode('totp', AuthenticatorApp.of(page).code());
  await byCode('recovery_code', code);
  const browser = new UserAgent();
  await usePasskey(browser, await browser.get(`${server.baseUrl}/account`), passkey, server);
  assert.ok(await isLoggedIn(browser, server), 'by passkey');
  if (agent === undefined) return;
  await agent.submit(await agent.get(`${server.baseUrl}/logout`), {});
  await passwordOf(agent, server);
  assert.ok(await isLoggedIn(agent, server), 'in a trusted browser');
}

describe('migrate-data', onlyOn('sqlite', 'each test names both engines itself'), () => {
  it('keeps tokens, sessions and consents on the way to PostgreSQL and back', async () => {
    await using at = await databases();
    const agent = new UserAgent();
    const key = sealingFlags(at.url);
    let port = '0';
    let issued: Awaited<ReturnType<typeof logIn>>;
    {
      await using server = await startServer({ database: at.file, ...key });
      issued = await logIn(server, agent);
      port = String(server.port);
    }
    await move('--from', at.file, '--to-url-file', at.urlFile);
    {
      await using server = await startServer({ database: at.url, port });
      const { status, json } = await lookUp(server, issued.token);
      assert.deepEqual([status, json.principal?.name ?? json.username], [200, 'emma']);
      const next = await refresh(server, issued.refreshToken);
      assert.equal(next.status, 200);
      const again = await agent.get(`${server.baseUrl}${authorize}`);
      assert.match(again.location ?? '', /[?&]code=/, 'the session and the consent are known');
      issued = { token: next.json.access_token, refreshToken: next.json.refresh_token };
    }
    const back = at.path('back.db');
    await move('--from-url-file', at.urlFile, '--to', back);
    await using server = await startServer({ database: back, port, ...key });
    assert.equal((await lookUp(server, issued.token)).status, 200);
    assert.equal((await refresh(server, issued.refreshToken)).status, 200);
  });

  // The test above has the move and the key, moving.test.ts every value, restore.test.ts of the store what a backup keeps and ends.
  slowTest('keeps the factors of people, with which they log in afterwards, as does a backup', async () => {
    using clock = stoppedClock();
    await using at = await databases();
    const flags = { authenticator: 'password', 'factors.trustDays': '30', port: `${await freePort()}` };
    const baseUrl = `http://localhost:${flags.port}`;
    const agent = new UserAgent();
    let page: Page;
    let passkey: Authenticator;
    {
      await using server = await startServer({ database: at.file, ...flags, baseUrl });
      const users = await accountUsers(server);
      await users.addAccount('emma');
      const owner = await users.browserOf('emma');
      page = await owner.get(`${server.baseUrl}/account/totp`);
      const codes = await owner.submit(page, { code: AuthenticatorApp.of(page).code() });
      page = { ...page, text: codes.text };
      passkey = await addPasskey(server, 'emma');
      clock.advance(30);
      const asked = await passwordOf(agent, server);
      const step = await agent.submit(asked, { choice: 'totp' });
      await agent.submit(step, { choice: 'totp', code: AuthenticatorApp.of(page).code(), trust: 'yes' });
    }
    const [first = '', second = ''] = page.text.match(/(?:\w{4}-){3}\w{4}/g) ?? [];
    const key = `${at.file}.key`;
    await move('--from', at.file, '--to-url-file', at.urlFile);
    {
      await using server = await startServer({
        ...{ database: at.url, 'signing.keyFile': key, ...flags, baseUrl },
      });
      clock.advance(30);
      await provesAll(server, { agent, page, passkey, code: first });
    }
    const [backup, restored] = [at.path('backup.db'), at.path('restored.db')];
    for (const args of [
      ['backup', backup, '--database', at.file],
      ['restore', backup, '--yes', '--database', restored],
    ]) {
      const { code, stderr } = await watchword(args);
      assert.equal(code, 0, stderr);
    }
    await copyFile(key, `${restored}.key`);
    await using server = await startServer({ database: restored, ...flags, baseUrl });
    clock.advance(30);
    await provesAll(server, { page, passkey, code: second });
    const { credentials } = server.service.store;
    const left = await credentials.listByOwner({ identityProvider: 'password', name: 'emma' });
    assert.ok(left.every(({ kind }) => kind !== 'trusted_browser'));
  });

  it('needs one name of each database, and two databases', async () => {
    for (const [args, message] of [
      [['--from', 'a.db'], /expected --to or --to-url-file/],
      [
        ['--from', 'a.db', '--from-url-file', 'url', '--to', 'x.db'],
        /--from or --from-url-file, and not both/,
      ],
      [['--from', 'a.db', '--to', 'a.db'], /name the same database/],
    ] as const) {
      const { code, stderr } = await watchword(['migrate-data', ...args]);
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
  });

  it('warns of a password in a flag, and never prints it', async () => {
    await using directory = await temporaryDirectory();
    await copyDemo(directory.file('x.db'));
    const url = 'postgres://ann:geheim@127.0.0.1:1/id';
    const args = ['migrate-data', '--from', directory.file('x.db'), '--to', url];
    const { code, stdout, stderr } = await watchword(args);
    assert.equal(code, 1);
    assert.match(stderr, /warning: --to has a password.*--to-url-file/);
    assert.match(stderr, /^watchword: .*127\.0\.0\.1:1/m);
    assert.doesNotMatch(stdout + stderr, /geheim/);
  });
});
