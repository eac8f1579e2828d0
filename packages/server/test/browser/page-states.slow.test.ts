import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { watchedPage } from '@watchword/server-testkit/people/watched-page';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { pageStates } from '../../src/pages/states/states.ts';

describe('every page in every state', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  before(async () => {
    directory = await temporaryDirectory();
    // Texts that are not there are in English, also where the page goes from right to left.
    await writeFile(directory.file('ar.json'), JSON.stringify({ 'login.title': 'تسجيل الدخول' }));
    const settings = { host: 'localhost', 'pages.watch': 'true', 'pages.locales': directory.path };
    [browser, server] = await Promise.all([openBrowser(), startServer(settings)]);
  });
  after(async () => {
    await Promise.all([browser, server, directory].map((each) => each[Symbol.asyncDispose]()));
  });

  for (const language of ['en', 'de', 'ar']) {
    it(`is accessible in both themes and fits 320 px (${language})`, async () => {
      const { origin } = new URL(server.service.baseUrl);
      await using visitor = await watchedPage(browser, [origin], { viewport: { width: 320, height: 640 } });
      const { page } = visitor;
      // Those two go on by themselves.
      for (const { name } of pageStates.filter(
        ({ page }) => page.page !== 'forward' && page.page !== 'repeat',
      )) {
        await page.goto(`${origin}/development/pages/${name}?language=${language}`);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, name);
        if (language !== 'de') await visitor.look(`state-${name}-${language}`);
      }
      const errors = visitor.errors().filter((error) => !/frame-ancestors|X-Frame-Options/.test(error));
      assert.deepEqual(errors, []);
    });
  }
});
