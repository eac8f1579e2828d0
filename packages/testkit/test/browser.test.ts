import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { fontArchive, unpackChromium } from '../src/browser/unpack-chromium.ts';
import { openBrowser } from '../src/browser.ts';

describe('the browser of the tests', () => {
  it('shows a page, with text in its bundled fonts', async () => {
    await using browser = await openBrowser();
    const page = await (await browser.newContext()).newPage();
    await page.setContent(
      '<title>Hello</title><h1 style="text-wrap: balance"><span>Sign in</span> to <b>continue</b></h1><i>i</i><p style="display: inline">MMM</p>',
    );
    assert.equal(await page.title(), 'Hello');
    const width = (selector: string) =>
      page.locator(selector).evaluate((element) => element.getBoundingClientRect().width);
    assert.ok((await width('p')) > 2 * (await width('i')));
    assert.match(await renderedFont(page), /^Open Sans/);
  });

  it('is unpacked once by concurrent processes, and leaves no other files', async () => {
    const cache = await mkdtemp(join(tmpdir(), 'watchword-test-'));
    try {
      const unpack = () => unpackChromium(cache, [fontArchive]);
      const [first, second] = await Promise.all([unpack(), unpack()]);
      assert.deepEqual(first, second);
      const names = await readdir(cache);
      assert.equal(names.length, 1);
      assert.match(names[0] ?? '', /^chromium-[\d.]+-\d+$/);
    } finally {
      await rm(cache, { recursive: true });
    }
  });
});

/** The font of the paragraph on the page. */
async function renderedFont(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'p' });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  return fonts[0]?.familyName ?? 'no font';
}
