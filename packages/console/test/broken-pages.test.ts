import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import type { Page } from 'playwright-core';
import { addressOf, type ConsolePage, consolePage } from './support/console-page.ts';

describe('the administration GUI when a part of it fails', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let visitor: ConsolePage;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer({ authenticator: 'noop-admin' })]);
    visitor = await consolePage(browser, server);
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  /** Answers of the interface that these pages cannot read. */
  const answerOddly = (page: Page, path: string, body: unknown) =>
    page.route(`**/admin/${path}*`, (route) => route.fulfill({ json: body }));

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
