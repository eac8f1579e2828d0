import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';

describe('the GUI in a language of an operator', () => {
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

  it('keeps English, with its language, for texts that the language lacks, and is mirrored where the language is', async () => {
    await visitor.page.setExtraHTTPHeaders({ 'accept-language': 'he' });
    await visitor.signIn(undefined, '/resource-servers');
    const { page } = visitor;
    await page.getByRole('heading', { level: 1, name: 'שרתי משאבים' }).waitFor();
    const english = page.getByText('Register a resource server').first();
    await english.waitFor();
    assert.equal(await english.evaluate((element) => element.closest('[lang]')?.getAttribute('lang')), 'en');
    assert.equal(await page.locator('h1:visible').getAttribute('lang'), null);
    assert.equal(await page.locator('html').getAttribute('dir'), 'rtl');
    const [navigation, main] = await Promise.all(
      ['.navigation', 'main'].map(async (part) => (await page.locator(part).boundingBox())?.x ?? 0),
    );
    assert.ok((navigation ?? 0) > (main ?? 0));
  });
});
