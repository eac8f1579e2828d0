import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AuthenticatorApp } from '@watchword/server-testkit/people/authenticator-app';
import { newPasskey, passkeyAnswer, usePasskey } from '@watchword/server-testkit/people/passkeys';
import { type AccountUsers, isLoggedIn } from '@watchword/server-testkit/servers/account-server';
import type { Nodes } from '@watchword/server-testkit/servers/nodes';
import { rounds, slowTest } from '@watchword/testkit';
import { Authenticator } from '@watchword/testkit/authenticator';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';

const password = 'correct horse battery';

/** Second factors, each request of which meets another node. */
export function nodeFactors(of: () => { readonly nodes: Nodes; readonly users: AccountUsers }): void {
  /** Somebody with an app, and with the codes that were made with it. */
  const person = async (username: string) => {
    const { nodes, users } = of();
    await users.addAccount(username);
    const agent = await users.browserOf(username);
    const page = await agent.get(`${nodes.baseUrl}/account/totp`);
    const app = AuthenticatorApp.of(page);
    const { html } = await agent.submit(page, { code: app.code() });
    return { app, codes: [...html.matchAll(/<code>([\w-]{19})<\/code>/g)].map(([, code]) => code ?? '') };
  };

  /** Browsers that are asked for the second factor, and then answer at once. @returns how many are logged in */
  const race = async (username: string, values: Readonly<Record<string, string>>) => {
    const { nodes } = of();
    const browsers = Array.from({ length: rounds(2, 4) }, () => new UserAgent());
    const pages: Page[] = [];
    for (const browser of browsers) {
      const login = await browser.get(`${nodes.baseUrl}/account`);
      const step = await browser.submit(login, { username, password });
      const { code: _, ...choice } = values;
      pages.push(values.choice === 'totp' ? step : await browser.submit(step, choice));
    }
    await Promise.all(pages.map((page, index) => browsers[index]?.submit(page, values)));
    const ends = await Promise.all(browsers.map((browser) => isLoggedIn(browser, nodes)));
    return ends.filter(Boolean).length;
  };

  it('accepts a one-time code and a recovery code once, of many logins at once', async () => {
    const { app, codes } = await person('totp');
    assert.equal(codes.length, 10);
    assert.equal(await race('totp', { choice: 'recovery_code', code: codes[0] ?? '' }), 1);
    const code = app.code(1);
    assert.equal(await race('totp', { choice: 'totp', code }), 1);
    assert.equal(await race('totp', { choice: 'totp', code }), 0);
  });

  slowTest('counts wrong one-time codes together, apart from passwords', async () => {
    const { nodes } = of();
    const { app } = await person('guessed-code');
    const agent = new UserAgent();
    const login = await agent.get(`${nodes.baseUrl}/account`);
    let page = await agent.submit(login, { username: 'guessed-code', password });
    const statuses: number[] = [];
    for (let guess = 0; guess < 5; guess += 1) {
      page = await agent.submit(page, { choice: 'totp', code: '000000' });
      statuses.push(page.status);
    }
    assert.deepEqual(statuses, [403, 403, 403, 403, 403]);
    for (const _ of nodes.nodes) {
      page = await agent.submit(page, { choice: 'totp', code: app.code(1) });
      assert.equal(page.status, 429, page.text);
    }
    const again = new UserAgent();
    const asked = await again.submit(await again.get(login.url), { username: 'guessed-code', password });
    assert.match(asked.text, /Type the code/);
  });

  slowTest(
    'adds a passkey, and logs in with it, where another node began, and takes each answer once',
    async () => {
      const { nodes, users } = of();
      await users.addAccount('key');
      const adding = await users.browserOf('key');
      const authenticator = new Authenticator();
      const form = await adding.get(`${nodes.baseUrl}/account/passkey`);
      const made = newPasskey(form, authenticator, nodes);
      assert.match((await adding.submit(form, made)).text, /Recovery codes of key/);
      for (const _ of nodes.nodes) assert.match((await adding.submit(form, made)).text, /took too long/);
      const agent = new UserAgent();
      const loginPage = () => agent.get(`${nodes.baseUrl}/account`);
      const page = await loginPage();
      const answer = passkeyAnswer(page, authenticator, nodes);
      const sent = await Promise.all(nodes.nodes.map(() => agent.submit(page, answer)));
      assert.equal(sent.filter(({ text }) => /took too long/.test(text)).length, nodes.nodes.length - 1);
      assert.ok(await isLoggedIn(agent, nodes));
      await agent.submit(await agent.get(`${nodes.baseUrl}/logout`), {});
      for (const _ of nodes.nodes) assert.match((await agent.submit(page, answer)).text, /took too long/);
      assert.ok(!(await isLoggedIn(agent, nodes)));
      await usePasskey(agent, await loginPage(), authenticator, nodes);
      assert.ok(await isLoggedIn(agent, nodes));
    },
  );
}
