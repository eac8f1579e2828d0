import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { unpackChromium } from '../src/browser/unpack-chromium.ts';
import { launchBrowser } from '../src/browser.ts';

describe('the browser of the tests', () => {
  it('shows a page', async () => {
    await using browser = await launchBrowser();
    const page = await browser.newPage();
    await page.setContent('<title>Hello</title>');
    assert.equal(await page.title(), 'Hello');
  });

  it('is unpacked once when several ask for it at the same time, and leaves nothing else behind', async () => {
    const cache = await mkdtemp(join(tmpdir(), 'watchword-test-'));
    try {
      const [first, second] = await Promise.all([unpackChromium(cache), unpackChromium(cache)]);
      assert.deepEqual(first, second);
      const names = await readdir(cache);
      assert.equal(names.length, 1);
      assert.match(names[0] ?? '', /^chromium-[\d.]+$/);
    } finally {
      await rm(cache, { recursive: true });
    }
  });
});
