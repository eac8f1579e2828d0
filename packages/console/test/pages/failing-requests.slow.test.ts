import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { addressOf, type ConsolePage, type OpenConsole, openConsole } from '../support/console-page.ts';
import { answerOddly, failed, whileFailing } from '../support/failing.ts';
import { furnish } from '../support/furnish.ts';

let gui: OpenConsole<TestServer>;
let server: TestServer;
let visitor: ConsolePage;
let furnished: Awaited<ReturnType<typeof furnish>>;
before(async () => {
  gui = await openConsole(startServer({ authenticator: 'noop-admin' }));
  ({ server, visitor } = gui);
  await visitor.signIn(undefined, '/nowhere');
  furnished = await furnish(server, visitor.token());
});
after(() => gui[Symbol.asyncDispose]());

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
    const admin = visitor.admin();
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

  it('the list of clients for a new token cannot be read', async () => {
    const { page } = visitor;
    await visitor.goTo('/tokens');
    await whileFailing(page, 'client', async () => {
      await page.getByRole('button', { name: 'Issue a token' }).click();
      await page.getByRole('dialog').getByText(failed).waitFor();
      await visitor.assertAccessible();
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('combobox', { name: 'Client' }).click();
    await page.getByRole('option', { name: 'Night job' }).click();
    await whileFailing(page, 'accessToken', async () => {
      await page.getByRole('dialog').getByRole('button', { name: 'Issue', exact: true }).click();
      await page.getByRole('dialog').getByText(failed).waitFor();
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Issue', exact: true }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
  });

  it('the dependents of a resource server cannot be read before its deletion', async () => {
    const { page } = visitor;
    const { id } = furnished.orders;
    await visitor.goTo('/nowhere');
    await whileFailing(page, `resourceServer/${id}/client`, async () => {
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
    // The served page has the heading already.
    await page.getByRole('heading', { name: 'Tokens issued', exact: true }).waitFor();
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

describe('the administration GUI when all of it fails', () => {
  it('shows a message when it can show nothing else, and can be reloaded', async () => {
    await visitor.signIn(undefined, '/nowhere');
    const { page } = visitor;
    await answerOddly(page, 'resourceServer/principal', {});
    await page.goto('about:blank');
    await page.goto(addressOf(server));
    await page.getByRole('heading', { name: 'These pages have failed' }).waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('console-broken');
    await page.unroute('**/admin/resourceServer/principal*');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  });
});
