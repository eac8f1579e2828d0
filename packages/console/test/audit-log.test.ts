import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AdministrationServer, startAdministration } from '@watchword/server-testkit/administration';
import { watchword } from '@watchword/server-testkit/process';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { type ConsolePage, consolePage } from './support/console-page.ts';

describe('the audit log in the GUI', () => {
  let browser: TestBrowser;
  let server: AdministrationServer;
  let visitor: ConsolePage;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startAdministration()]);
    const emma = new UserAgent();
    const request = `${server.baseUrl}/authorize?response_type=code&client_id=demo-app&scope=read`;
    await followFlow(emma, request, { username: 'emma', password: '{}' });
    await emma.submit(await emma.get(`${server.baseUrl}/account`), {});
    visitor = await consolePage(browser, server);
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  const open = () => visitor.signIn('root', '/audit', JSON.stringify({ adminPrincipal: true }));

  it('shows changes, and on request logins and grants, with their source', async () => {
    const { page } = visitor;
    await open();
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

  it('lists changes to local accounts and their passwords', async () => {
    const { page } = visitor;
    const database = ['--database', server.database];
    const stdin = 'correct horse battery staple';
    await watchword(['user', 'create', 'emma', '--password-stdin', ...database], { stdin });
    await watchword(['user', 'set-password', 'emma', '--password-stdin', ...database], {
      stdin: `${stdin}!`,
    });
    await open();
    const entries = page.locator('.audit-log-entry').filter({ hasText: 'account emma' });
    await entries.filter({ hasText: 'created' }).waitFor();
    await entries.filter({ hasText: 'new password' }).waitFor();
    await page.getByLabel('Kind of record').selectOption('Accounts');
    await page.locator('.audit-log-entry').nth(2).waitFor({ state: 'detached' });
    assert.equal(await entries.count(), 2);
    assert.deepEqual(visitor.errors(), []);
  });
});
