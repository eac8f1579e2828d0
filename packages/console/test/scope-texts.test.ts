import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';

describe('descriptions of scopes on the administration pages', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let visitor: ConsolePage;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer({ authenticator: 'noop-admin' })]);
    visitor = await consolePage(browser, server);
    await visitor.signIn();
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  it('are written for a new API, changed later, and shown beside the boxes of a client', async () => {
    const { page, goTo } = visitor;
    page.setDefaultTimeout(15_000);
    await goTo('/resource-servers/new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Notes API');
    const scopes = page.getByLabel('Scopes', { exact: true });
    await scopes.fill('read');
    await scopes.press('Enter');
    await scopes.fill('write');
    await scopes.press('Enter');
    await page.getByLabel('read', { exact: true }).fill('Read your notes');
    await page.getByRole('button', { name: 'Add a language for read' }).click();
    await page.getByLabel('Text for read in this language', { exact: true }).fill('Notities lezen');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('have a text for read without a language').waitFor();
    await page.getByLabel('Language of a text for read').fill('nl');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('heading', { name: 'Notes API', level: 1 }).waitFor();

    const [api] = (await visitor.admin().resourceServers.list({ q: 'Notes API' })).items;
    const stored = async () =>
      (await visitor.admin().resourceServers.getDescribed(api?.id ?? 0)).record.scopes;
    const read = { name: 'read', description: 'Read your notes', descriptions: { nl: 'Notities lezen' } };
    assert.deepEqual(await stored(), [read, { name: 'write' }]);

    await goTo(`/resource-servers/${api?.id}?tab=settings`);
    assert.equal(
      await page.getByLabel('Text for read in nl', { exact: true }).inputValue(),
      'Notities lezen',
    );
    await page.getByRole('button', { name: 'Remove the text for read in nl' }).click();
    await page.getByLabel('write', { exact: true }).fill('Write notes');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.form-foot[data-dirty=false]').waitFor();
    assert.deepEqual(await stored(), [
      { name: 'read', description: 'Read your notes' },
      { name: 'write', description: 'Write notes' },
    ]);

    await goTo(`/resource-servers/${api?.id}/clients/new`);
    await page.getByText('Write notes').waitFor();
  });
});
