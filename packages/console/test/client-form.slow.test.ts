import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';

let browser: TestBrowser;
let server: TestServer;
let visitor: ConsolePage;
before(async () => {
  [browser, server] = await Promise.all([openBrowser(), startServer({ authenticator: 'noop-admin' })]);
  visitor = await consolePage(browser, server);
  await visitor.signIn(undefined, '/nowhere');
});
after(async () => {
  await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
});

describe('a public client on the administration pages', () => {
  let resourceServerId: number;
  before(async () => {
    const api = { name: 'Shop API', contactName: 'Emma', scopes: ['read', 'write'] };
    resourceServerId = (await visitor.admin().resourceServers.create(api)).id;
  });

  const byName = async (name: string) =>
    (await visitor.admin().clients.list(resourceServerId)).items.find(
      ({ clientName }) => clientName === name,
    ) ?? assert.fail(name);

  it('is registered as an application in the browser or on a device, without a secret', async () => {
    const { page, goTo } = visitor;
    for (const [kind, useRefreshTokens] of [
      ['An application in the browser', false],
      ['A native or mobile application', true],
    ] as const) {
      await goTo(`/resource-servers/${resourceServerId}/clients/new`);
      assert.ok(await page.getByRole('radio', { name: 'A web application with a server' }).isChecked());
      assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 0, 'no scope is ticked');
      await page.getByRole('radio', { name: kind }).check();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(kind);
      await page.getByLabel('Redirect URIs', { exact: true }).fill('https://shop.example/callback');
      await page.getByRole('button', { name: 'Register' }).click();
      await page.getByRole('heading', { name: kind, level: 1 }).waitFor();
      const client = await byName(kind);
      assert.deepEqual(
        [client.confidential, client.allowedImplicitGrant, client.useRefreshTokens, client.expireDuration],
        [false, false, useRefreshTokens, 3600],
      );
    }
  });

  it('cannot be confidential beside the implicit grant, and the form explains it', async () => {
    const { page, goTo } = visitor;
    await goTo(`/resource-servers/${resourceServerId}/clients/new`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Contradiction');
    await page.getByLabel('Redirect URIs', { exact: true }).fill('https://shop.example/callback');
    await page.locator('label').filter({ hasText: 'Implicit grant' }).click();
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Confidential must be off with the implicit grant').waitFor();
    await page.getByRole('switch', { name: 'Confidential' }).press('Space');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('heading', { name: 'Contradiction', level: 1 }).waitFor();
  });
});
