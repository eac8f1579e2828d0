import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type AccountUsers, isLoggedIn } from '@watchword/server-testkit/account-server';
import { AuthenticatorApp } from '@watchword/server-testkit/authenticator-app';
import type { Nodes } from '@watchword/server-testkit/nodes';
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
    const { html } = await agent.submit(page, { code: app.code(-1) });
    return { app, codes: [...html.matchAll(/<code>([\w-]{19})<\/code>/g)].map(([, code]) => code ?? '') };
  };

  /** Browsers that are asked for the second factor, and then answer at once. @returns how many are logged in */
  const race = async (username: string, values: Readonly<Record<string, string>>) => {
    const { nodes } = of();
    const browsers = Array.from({ length: 4 }, () => new UserAgent());
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
    const code = app.code();
    assert.equal(await race('totp', { choice: 'totp', code }), 1);
    assert.equal(await race('totp', { choice: 'totp', code }), 0);
  });
}
