import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startAdministration } from '@watchword/server-testkit/administration';
import { openBrowser } from '@watchword/testkit/browser';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { consolePage } from './support/console-page.ts';

describe('the audit log in the GUI', () => {
  it('shows changes, and on request logins and grants, with their source', async () => {
    await using server = await startAdministration();
    await using browser = await openBrowser();
    await using visitor = await consolePage(browser, server);
    const { page } = visitor;
    const emma = new UserAgent();
    const request = `${server.baseUrl}/authorize?response_type=code&client_id=demo-app&scope=read`;
    await followFlow(emma, request, { username: 'emma', password: '{}' });
    await emma.submit(await emma.get(`${server.baseUrl}/account`), {});
    await visitor.signIn('root', '/audit', JSON.stringify({ adminPrincipal: true }));
    await page.getByText('the server itself').first().waitFor();
    assert.equal(await page.locator('.audit-log').getByText('logged in').count(), 0);

    await page.getByLabel('Kind of record').selectOption('Logins and grants');
    const login = page.getByRole('listitem').filter({ hasText: 'login of emma' });
    await login.getByText('logged in').click();
    await login.getByText('127.0.0.1').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'access for' }).first().getByText('granted').waitFor();
    const withdrawal = page.getByRole('listitem').filter({ hasText: 'withdrawn' });
    await withdrawal.getByText('withdrawn').click();
    await withdrawal.getByText('127.0.0.1').waitFor();
    assert.equal(await page.locator('.audit-log').getByText('the server itself').count(), 0);

    await page.getByLabel('Kind of record').selectOption('Everything');
    await page.getByText('the server itself').first().waitFor();
    await page.locator('.audit-log').getByText('logged in').first().waitFor();
    assert.deepEqual(visitor.errors(), []);
  });
});
