import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AdministrationServer, startAdministration } from '@watchword/server-testkit/administration';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';

const idp = 'https://idp.example';

describe('the page of identity providers', () => {
  let browser: TestBrowser;
  let server: AdministrationServer;
  let visitor: ConsolePage;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startAdministration()]);
    visitor = await consolePage(browser, server);
    await visitor.signIn('root', '/identity-providers', JSON.stringify({ adminPrincipal: true }));
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

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
