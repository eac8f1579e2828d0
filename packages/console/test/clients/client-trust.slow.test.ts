import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ClientAddress, createAdminClient } from '@watchword/admin-client';
import {
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from '../support/console-page.ts';
import { furnish } from '../support/furnish.ts';

describe('a client that an administrator trusts', () => {
  let browser: TestBrowser;
  let server: AdministrationServer;
  let root: ConsolePage;
  let emma: ConsolePage;
  let route: string;
  let resourceServerRoute: string;
  let address: ClientAddress;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startAdministration()]);
    [root, emma] = await Promise.all([consolePage(browser, server), consolePage(browser, server)]);
    await emma.signIn('emma', '/nowhere', '{}');
    const { orders, shop } = await furnish(server, emma.token());
    resourceServerRoute = `/resource-servers/${orders.id}`;
    route = `${resourceServerRoute}/clients/${shop.id}`;
    await root.page.clock.install();
    await root.signIn('root', route, JSON.stringify({ adminPrincipal: true }));
    const admin = createAdminClient({ baseUrl: server.service.baseUrl, token: () => root.token() });
    address = { resourceServerId: orders.id, id: shop.id };
    await admin.clients.update(address, { skipConsent: true });
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  const trust = (text: string) => `dt:text-is("Trusted") + dd:has-text("${text}")`;

  it('is no longer trusted when its owner changes a redirect URI, and the pages show it', async () => {
    const { page } = emma;
    await emma.goTo(`${route}?tab=settings`);
    await page.locator(trust('by an administrator, skips consent')).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Confirm' }).count(), 0);
    await page.getByLabel('Redirect URIs', { exact: true }).fill('https://other.example.com/callback');
    await page.getByText('ends that, and people are asked for consent again.').waitFor();
    await emma.assertAccessible();
    await emma.screenshot('console-client-trust-ends');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText('The client is no longer trusted, and people are asked for consent again.')
      .waitFor();
    await page.locator(trust('no')).waitFor();
    assert.deepEqual(emma.errors(), []);
  });

  it('is confirmed only as the administrator has read it', async () => {
    const { page } = root;
    await page.reload();
    await page.getByRole('button', { name: 'Confirm' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('https://other.example.com/callback').waitFor();
    const owner = createAdminClient({ baseUrl: server.service.baseUrl, token: () => emma.token() });
    await owner.clients.update(address, { redirectUris: ['https://third.example.com/callback'] });
    const read = page.waitForResponse((response) => response.url().endsWith(`/client/${address.id}`));
    await page.clock.fastForward(11_000);
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await read;
    await dialog.getByText('https://other.example.com/callback').waitFor();
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText('Another user has changed it in the meantime').waitFor();
    assert.ok(!(await owner.clients.get(address)).record.trusted);
    await owner.clients.update(address, { redirectUris: ['https://other.example.com/callback'] });
  });

  it('is trusted again when an administrator has read it and confirms it', async () => {
    const { page } = root;
    const before = root.errors().length;
    await page.reload();
    await page.locator(trust('no')).waitFor();
    await page.getByRole('button', { name: 'Confirm' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('https://other.example.com/callback').waitFor();
    await root.assertAccessible();
    await root.screenshot('console-dialog-trust');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Web shop is trusted').waitFor();
    await page.locator(trust('by an administrator')).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Confirm' }).count(), 0);
    assert.deepEqual(root.errors().slice(before), []);
  });

  it('is named when its owner removes one of its scopes from the resource server', async () => {
    const { page } = emma;
    await emma.goTo(`${resourceServerRoute}?tab=settings`);
    await page.getByRole('button', { name: 'Remove refund' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('1 client is no longer trusted: web-shop.').waitFor();
    assert.deepEqual(emma.errors(), []);
  });
});
