import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/process';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { slowTest, variants } from '@watchword/testkit';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';
import { sentencesInEnglish, tableOf } from './support/tables.ts';

describe('the GUI in another language', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let visitor: ConsolePage;
  before(async () => {
    directory = await temporaryDirectory();
    await mkdir(directory.file('console'));
    await writeFile(directory.file('console/he.json'), JSON.stringify({ 'servers.title': 'שרתי משאבים' }));
    [browser, server] = await Promise.all([
      openBrowser(),
      startServer({ authenticator: 'noop-admin', 'pages.locales': directory.path }),
    ]);
    visitor = await consolePage(browser, server);
  });
  after(async () => {
    await Promise.all([browser, server, directory].map((each) => each[Symbol.asyncDispose]()));
  });

  const openIn = async (language: string, route: string) => {
    await visitor.page.setExtraHTTPHeaders({ 'accept-language': language });
    await visitor.signIn(undefined, route);
  };

  it('has no English sentence', async () => {
    const { page } = visitor;
    await openIn('nl', '/');
    for (const [route, title] of variants(1, [
      ['/resource-servers/new', 'servers.register'],
      ['/', 'navigation.overview'],
      ['/tokens', 'tokens.title'],
    ] as const)) {
      await visitor.goTo(route);
      await page
        .getByRole('heading', { level: 1, name: tableOf('nl')[title] ?? assert.fail(title) })
        .waitFor();
      await page.locator('main:not(:has(.loading))').waitFor();
      assert.equal(await page.locator('html').getAttribute('lang'), 'nl');
      assert.deepEqual(await sentencesInEnglish(page, 'nl'), [], route);
    }
    assert.deepEqual(visitor.errors(), []);
  });

  slowTest(
    'keeps English, with its language, for texts that the language lacks, and is mirrored where the language is',
    async () => {
      await openIn('he', '/resource-servers');
      const { page } = visitor;
      await page.getByRole('heading', { level: 1, name: 'שרתי משאבים' }).waitFor();
      const english = page.getByText('Register a resource server').first();
      await english.waitFor();
      assert.equal(
        await english.evaluate((element) => element.closest('[lang]')?.getAttribute('lang')),
        'en',
      );
      assert.equal(await page.locator('h1:visible').getAttribute('lang'), null);
      assert.equal(await page.locator('html').getAttribute('dir'), 'rtl');
      const [navigation, main] = await Promise.all(
        ['.navigation', 'main'].map(async (part) => (await page.locator(part).boundingBox())?.x ?? 0),
      );
      assert.ok((navigation ?? 0) > (main ?? 0));
    },
  );
});
