import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AdministrationServer, startAdministration } from '@watchword/server-testkit/administration';
import { watchword } from '@watchword/server-testkit/process';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent, withdrawalPage } from '@watchword/testkit/user-agent';
import { type ConsolePage, type OpenConsole, openConsole } from './support/console-page.ts';

let gui: OpenConsole<AdministrationServer>;
let server: AdministrationServer;
let visitor: ConsolePage;
before(async () => {
  gui = await openConsole(startAdministration());
  ({ server, visitor } = gui);
  await visitor.signIn('root', '/nowhere', JSON.stringify({ adminPrincipal: true }));
});
after(() => gui[Symbol.asyncDispose]());

describe('the audit log in the GUI', () => {
  before(async () => {
    const emma = new UserAgent();
    const request = `${server.baseUrl}/authorize?response_type=code&client_id=demo-app&scope=read`;
    await followFlow(emma, request, { username: 'emma', password: '{}' });
    await emma.submit(await withdrawalPage(emma, server.baseUrl), {});
  });

  it('shows changes, and on request logins and grants, with their source', async () => {
    const { page } = visitor;
    await visitor.goTo('/audit');
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
    await page.reload();
    await page.getByLabel('Kind of record').selectOption('Changes');
    const entries = page.locator('.audit-log-entry').filter({ hasText: 'account emma' });
    await entries.filter({ hasText: 'created' }).waitFor();
    await entries.filter({ hasText: 'new password' }).waitFor();
    await page.getByLabel('Kind of record').selectOption('Accounts');
    await page.locator('.audit-log-entry').nth(2).waitFor({ state: 'detached' });
    assert.equal(await entries.count(), 2);
    assert.deepEqual(visitor.errors(), []);
  });
});

describe('the page of identity providers', () => {
  const idp = 'https://idp.example';
  before(() => visitor.goTo('/identity-providers'));

  it('shows the number of records, and ends them', async () => {
    const { page } = visitor;
    const emma = await server.person('emma', { identityProvider: idp });
    await server.person('paul', { identityProvider: idp });
    await page.reload();
    const row = page.getByRole('row', { name: idp });
    await row.waitFor();
    assert.deepEqual((await row.getByRole('cell').allInnerTexts()).slice(1, 5), [
      'configured',
      '2',
      '2',
      '2',
    ]);
    await row.getByRole('button', { name: 'Revoke all' }).click();
    const dialog = page.getByRole('dialog');
    for (const text of ['2 logins', '2 grants', '2 remembered consents'])
      await dialog.getByText(text).waitFor();
    await dialog.getByRole('textbox').fill(idp);
    await dialog.getByRole('button', { name: 'Revoke everything' }).click();
    await page.getByText('2 logins, 2 grants and 2 consents revoked').waitFor();
    await row.waitFor({ state: 'detached' });
    assert.equal((await emma.get('/admin/resourceServer')).status, 401);
    assert.deepEqual(visitor.errors(), []);
  });

  it('filters by whether the server is configured with the identity provider', async () => {
    const { page } = visitor;
    await page.getByLabel('Which ones').selectOption('No longer configured');
    await page.getByText('No identity provider fits').waitFor();
    await page.getByLabel('Which ones').selectOption('Configured');
    await page.getByRole('row', { name: 'any-person' }).waitFor();
  });

  it('is offered to administrators only', async () => {
    const menu = visitor.page.getByRole('navigation', { name: 'Pages' });
    await menu.getByRole('link', { name: 'Identity providers' }).waitFor();
    await visitor.signIn('emma', '/clients', '{}');
    await menu.getByRole('link', { name: 'Audit log' }).waitFor();
    assert.equal(await menu.getByRole('link', { name: 'Identity providers' }).count(), 0);
  });
});
