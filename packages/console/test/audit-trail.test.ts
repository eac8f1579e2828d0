import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { launchBrowser } from '@watchword/testkit/browser';
import { startAdministration } from '../../server/test/support/administration.ts';
import { consolePage } from './support/console-page.ts';

describe('the audit trail in the GUI', () => {
  it('shows changes, and logins and grants where they are asked for, with where they came from', async () => {
    await using server = await startAdministration();
    await using browser = await launchBrowser();
    await using visitor = await consolePage(browser, server);
    const { page } = visitor;
    await server.person('emma');
    await visitor.signIn('root', '/audit', JSON.stringify({ adminPrincipal: true }));
    await page.getByText('the server itself').first().waitFor();
    assert.equal(await page.locator('.trail').getByText('logged in').count(), 0);

    await page.getByLabel('Kind of record').selectOption('Logins and grants');
    const login = page.getByRole('listitem').filter({ hasText: 'login of emma' });
    await login.getByText('logged in').click();
    await login.getByText('127.0.0.1').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'access for' }).first().getByText('granted').waitFor();
    assert.equal(await page.locator('.trail').getByText('the server itself').count(), 0);

    await page.getByLabel('Kind of record').selectOption('Everything');
    await page.getByText('the server itself').first().waitFor();
    await page.locator('.trail').getByText('logged in').first().waitFor();
    assert.deepEqual(visitor.faults(), []);
  });
});
