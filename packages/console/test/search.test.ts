import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';
import { addClients, addResourceServers } from './support/many-records.ts';

describe('a search of the administration GUI', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let visitor: ConsolePage;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer({ authenticator: 'noop-admin' })]);
    // More records than the page reads, so that every search is a request.
    await addResourceServers(server.database, 2100);
    await addClients(server.database, 1, 2100);
    visitor = await consolePage(browser, server);
    await visitor.page.clock.install();
    await visitor.signIn(undefined, '/nowhere');
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  for (const [route, until] of [
    ['/resource-servers', 'Only the first'],
    ['/resource-servers/1', 'Only the first'],
    ['/clients', 'Only the first'],
    ['/tokens', 'Issue a token'],
    ['/access', 'Which clients can act'],
    ['/audit', 'created'],
  ] as const) {
    it(`sends the typed text to the server once, when the user stops typing: ${route}`, async () => {
      const { page } = visitor;
      await visitor.goTo(route);
      await page.getByText(until).first().waitFor();
      const asked: string[] = [];
      const note = (request: { url(): string }) => {
        const q = new URL(request.url()).searchParams.get('q');
        if (q !== null) asked.push(q);
      };
      page.on('request', note);
      await page.clock.pauseAt(Number(await page.evaluate('Date.now()')) + 2000);
      const box = page.getByRole('searchbox');
      await box.pressSequentially('stock');
      assert.deepEqual(asked, []);
      await page.clock.resume();
      await page.waitForURL(/[?&]q=stock/);
      await page.getByText(/fits/).waitFor();
      assert.deepEqual([...new Set(asked)], ['stock']);
      await page.getByRole('button', { name: 'Clear the search' }).click();
      await page.waitForURL((url) => !url.hash.includes('q='));
      await box.fill('shop');
      await box.press('Enter');
      await page.waitForURL(/[?&]q=shop/);
      page.off('request', note);
    });
  }
});
