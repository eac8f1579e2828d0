import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { watchedPage } from '@watchword/server-testkit/people/watched-page';
import { accountsPath, startAccountServer } from '@watchword/server-testkit/servers/account-server';
import { openBrowser } from '@watchword/testkit/browser';

const chosen = 'a new and long one';

// passwords.slow.test.ts goes on to the login and to the change of the password.
describe('the page on which users set passwords, in a browser', () => {
  it('is accessible, and can be used with the keyboard', async () => {
    await using server = await startAccountServer();
    await using browser = await openBrowser();
    await using visitor = await watchedPage(browser, [new URL(server.service.baseUrl).origin]);
    const { page } = visitor;
    const root = await server.logIn('root');
    const { resetLink } = await root.create(accountsPath, { username: 'emma' });
    await page.goto(resetLink);
    await visitor.assertAccessible();
    await page.getByLabel('New password', { exact: true }).fill(chosen);
    await page.getByLabel('New password once more').fill(chosen);
    await page.keyboard.press('Enter');
    await page.getByText('Your password is saved').waitFor();
    assert.deepEqual(visitor.errors(), []);
  });
});
