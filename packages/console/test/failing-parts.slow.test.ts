import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AdminClient } from '@watchword/admin-client';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';
import { answerOddly, failed, whileFailing } from './support/failing.ts';
import { furnish } from './support/furnish.ts';

let browser: TestBrowser;
let server: TestServer;
let visitor: ConsolePage;
let admin: AdminClient;
before(async () => {
  [browser, server] = await Promise.all([openBrowser(), startServer({ authenticator: 'noop-admin' })]);
  visitor = await consolePage(browser, server);
  await visitor.signIn(undefined, '/nowhere');
  admin = visitor.admin();
  await furnish(server, visitor.token());
});
after(async () => {
  await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
});

describe('the administration GUI shows an error, and offers another attempt, when', () => {
  it('the first records of the overview cannot be read', async () => {
    const { page } = visitor;
    await whileFailing(page, 'client', async () => {
      await visitor.goTo('/');
      await page.getByText(failed).waitFor();
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('section.card').first().waitFor();
  });

  it('another user has changed a token meanwhile, and shows its current values', async () => {
    const { page } = visitor;
    const { id } = await admin.accessTokens.create({ clientId: 'web-shop' });
    await visitor.goTo('/tokens?q=web-shop');
    await page.getByRole('row', { name: 'night-job' }).first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Actions on the token of web-shop' }).first().click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'orders.read' }).uncheck();
    await admin.accessTokens.update(id, { scopes: ['orders.read', 'orders.write'] });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Another user has changed it in the meantime').waitFor();
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByRole('checkbox', { name: 'refund' }).waitFor({ state: 'detached' });
    await dialog.getByRole('checkbox', { name: 'orders.read' }).uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The token is changed').waitFor();
    assert.deepEqual((await admin.accessTokens.get(id)).record.scopes, ['orders.write']);
  });

  it('the principal cannot be read after a new login', async () => {
    const { page } = visitor;
    await visitor.goTo('/nowhere');
    const { errors } = visitor;
    const before = errors().length;
    await server.post('/oauth2/revoke', {
      token: visitor.token(),
      client_id: 'authorization-server-admin-js-client',
    });
    await visitor.goTo('/clients');
    const dialog = page.getByRole('dialog', { name: 'Sign in again to continue' });
    await whileFailing(page, 'resourceServer/principal', async () => {
      await dialog.getByRole('button', { name: 'Sign in again' }).click();
      await dialog.getByText(failed).waitFor();
      await visitor.assertAccessible();
      await visitor.screenshot('console-sign-in-failed');
    });
    await dialog.getByRole('button', { name: 'Sign in again' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: 'Night job' }).waitFor();
    const rejections = errors()
      .slice(before)
      .filter((error) => !error.startsWith('Failed to load resource'));
    assert.deepEqual(rejections, []);
  });
});

describe('the administration GUI when a part of it fails', () => {
  it('offers to reload a file that a deployment has replaced, and keeps the typed values', async () => {
    await visitor.signIn(undefined, '/resource-servers/new');
    const { page } = visitor;
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Half done');
    await page.route('**/assets/overview-*.js', (route) => route.fulfill({ status: 404, json: {} }));
    await visitor.goTo('/');
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('console-missing-part');
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor();
    await page.goBack();
    await page.unroute('**/assets/overview-*.js');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await visitor.goTo('/resource-servers/new');
    await page.getByText('What you had typed before is still here.').waitFor();
  });

  it('replaces only the page that failed, and offers to try it again', async () => {
    await visitor.signIn(undefined, '/nowhere');
    const { page } = visitor;
    await answerOddly(page, 'resourceServer', [{ id: 1, name: 'Odd' }]);
    await visitor.goTo('/resource-servers');
    await page.getByRole('heading', { name: 'This page has failed' }).waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('console-broken-page');
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
    await visitor.goTo('/resource-servers');
    await page.getByRole('heading', { name: 'This page has failed' }).waitFor();
    await page.unroute('**/admin/resourceServer*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Demo Resource Server' }).waitFor();
  });
});
