import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { type ClientSite, clientSite } from '@watchword/server-testkit/clients/client-site';
import { type WatchedPage, watchedPage } from '@watchword/server-testkit/people/watched-page';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { slowTest, variants } from '@watchword/testkit';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import type { BrowserContextOptions, Page } from 'playwright-core';

describe('an authorization request that a page of another site posts, in a browser', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let site: ClientSite;
  let app: Application;
  /** The user logs in here in the first test. */
  let visitor: WatchedPage;
  before(async () => {
    [browser, server, site] = await Promise.all([openBrowser(), startServer(), clientSite()]);
    app = await registerApplication(server, {
      clientName: 'Photo Printer',
      redirectUris: [site.callback],
    });
    visitor = await open();
  });
  after(async () => {
    await Promise.all([browser, server, site].map((each) => each[Symbol.asyncDispose]()));
  });

  /** A browser treats this name as another site than the address of the server. */
  const elsewhere = () => site.origin.replace('127.0.0.1', 'localhost');
  const open = (options = {}): Promise<WatchedPage> =>
    watchedPage(browser, [server.baseUrl, site.origin, elsewhere()], options);

  /** A page of the other site posts a form to the authorization endpoint, by a button without a script. */
  async function post(page: Page, parameters: Record<string, string> = {}): Promise<void> {
    const query = { ...Object.fromEntries(new URL(app.authorizeUrl()).searchParams), ...parameters };
    const inputs = Object.entries(query).map(([name, value]) => `<input name="${name}" value="${value}">`);
    const form = `<form method="post" action="${server.baseUrl}/authorize">${inputs.join('')}<button>Go</button></form>`;
    await page.route(`${elsewhere()}/start`, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>x</title>${form}` }),
    );
    await page.goto(`${elsewhere()}/start`);
    await page.getByRole('button', { name: 'Go' }).click();
  }

  it('starts a login in a browser without cookies of the server', async () => {
    const { page } = visitor;
    await post(page);
    await page.getByLabel('User name').fill('emma');
    await page.getByLabel('Password').fill('secret');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${site.callback}?**`);
    assert.deepEqual(visitor.errors(), []);
  });

  slowTest(
    'does not change the login session or an open page, and continues by itself to single sign-on',
    async () => {
      const { page } = visitor;
      const other = await page.context().newPage();
      await other.goto(app.authorizeUrl({ prompt: 'consent' }));
      const before = await page.context().cookies(server.baseUrl);

      await post(page, { state: 'posted', submit: 'a field may be called so' });
      await page.waitForURL(`${site.callback}?**`);
      const answered = new URL(page.url()).searchParams;
      assert.equal(answered.get('state'), 'posted');
      assert.ok(answered.has('code'));
      assert.deepEqual(await page.context().cookies(server.baseUrl), before);
      await other.getByRole('button', { name: 'Allow' }).click();
      await other.waitForURL(`${site.callback}?**`);
      assert.ok(new URL(other.url()).searchParams.has('code'));
      assert.deepEqual(visitor.errors(), []);
    },
  );

  for (const [name, options] of variants<readonly [string, BrowserContextOptions]>(1, [
    ['light', {}],
    ['de', { locale: 'de' }],
    ['dark', { colorScheme: 'dark' }],
    ['phone', { viewport: { width: 320, height: 640 } }],
    ['nl', { locale: 'nl' }],
  ])) {
    // pages.test.ts holds the button, and the user agent of attacks/posted-requests.test.ts has no script.
    slowTest(`continues by a button where there is no script (${name})`, async () => {
      await using visitor = await open({ ...options, javaScriptEnabled: false });
      const { page } = visitor;
      await post(page);
      await visitor.screenshot(`repeat-${name}`);
      await visitor.send(page.getByRole('button'));
      assert.equal(await page.locator('input[name=password]').count(), 1);
      assert.deepEqual(visitor.errors(), []);
    });
  }
});
