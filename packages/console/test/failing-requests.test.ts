import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AdminClient } from '@watchword/admin-client';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';
import { furnish } from './support/furnish.ts';

const failure = { status: 500, json: { error: 'server_error', error_description: 'x' } };
const failed = 'The server met an unexpected error.';

describe('the administration GUI shows an error, and offers another attempt, when', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let visitor: ConsolePage;
  let admin: AdminClient;
  let furnished: Awaited<ReturnType<typeof furnish>>;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer({ authenticator: 'noop-admin' })]);
    visitor = await consolePage(browser, server);
    await visitor.signIn(undefined, '/nowhere');
    admin = visitor.admin();
    furnished = await furnish(server, visitor.token());
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  /** Requests to an address below `/admin/` fail during the action. */
  async function whileFailing(path: string, work: () => Promise<void>): Promise<void> {
    const { page } = visitor;
    const address = new RegExp(`/admin/${path}(?:\\?|$)`);
    await page.route(address, (route) => route.fulfill(failure));
    await work();
    await page.unroute(address);
  }

  it('the list of clients for a new token cannot be read', async () => {
    const { page } = visitor;
    await visitor.goTo('/tokens');
    await whileFailing('client', async () => {
      await page.getByRole('button', { name: 'Issue a token' }).click();
      await page.getByRole('dialog').getByText(failed).waitFor();
      await visitor.assertAccessible();
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('combobox', { name: 'Client' }).click();
    await page.getByRole('option', { name: 'Night job' }).click();
    await whileFailing('accessToken', async () => {
      await page.getByRole('dialog').getByRole('button', { name: 'Issue', exact: true }).click();
      await page.getByRole('dialog').getByText(failed).waitFor();
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Issue', exact: true }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
  });

  it('the first records of the overview cannot be read', async () => {
    const { page } = visitor;
    await whileFailing('client', async () => {
      await visitor.goTo('/');
      await page.getByText(failed).waitFor();
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('section.card').first().waitFor();
  });

  it('the dependents of a resource server cannot be read before its deletion', async () => {
    const { page } = visitor;
    const { id } = furnished.orders;
    await visitor.goTo('/nowhere');
    await whileFailing(`resourceServer/${id}/client`, async () => {
      await visitor.goTo(`/resource-servers/${id}?tab=danger`);
      await page.getByText(failed).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0);
      await page.getByRole('tab', { name: 'Settings' }).click();
      await page.getByRole('button', { name: 'Remove refund' }).click();
      await page.getByText('Saving takes “refund” from every client that has it').waitFor();
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('tab', { name: 'Secret and removal' }).click();
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Delete' }).waitFor();
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

  it('the browser does not permit copying a secret', async () => {
    const { page } = visitor;
    await visitor.goTo(`/resource-servers/${furnished.orders.id}?tab=danger`);
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    await page.evaluate(
      'navigator.clipboard.writeText = () => Promise.reject(new Error("x")); document.execCommand = () => false; undefined',
    );
    await page.getByRole('button', { name: 'Copy the secret' }).click();
    await page.getByText('Not copied').waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.reload();
    await page.getByText('New secret').waitFor();
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
    await whileFailing('resourceServer/principal', async () => {
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
