import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { addressOf, type ConsolePage, consolePage } from './support/console-page.ts';
import { answerOddly, failed, whileFailing } from './support/failing.ts';
import { furnish } from './support/furnish.ts';

let browser: TestBrowser;
let server: TestServer;
let visitor: ConsolePage;
let furnished: Awaited<ReturnType<typeof furnish>>;
before(async () => {
  [browser, server] = await Promise.all([openBrowser(), startServer({ authenticator: 'noop-admin' })]);
  visitor = await consolePage(browser, server);
  await visitor.signIn(undefined, '/nowhere');
  furnished = await furnish(server, visitor.token());
});
after(async () => {
  await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
});

describe('the administration GUI shows an error, and offers another attempt, also when', () => {
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
