import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { serve } from 'vitepress';
import { buildSite, docs } from './build.ts';
import { root } from './contents.ts';

// `npm run check:docs`: builds the site, opens every page in a browser, searches, and takes pictures. It fails for a link that
// leads nowhere, an error on a page, a page that is wider than a phone, and a request to another host.
const site = join(root, 'artifacts/docs/site');
const pictures = join(root, 'artifacts/docs/pictures');
/** How long a search may take, in milliseconds. */
const patience = { timeout: 15_000 };
const desktop = { width: 1280, height: 860 };
const phone = { width: 390, height: 844 };

await buildSite();
await mkdir(pictures, { recursive: true });
const { server } = await serve({ root: docs, port: 0 });
const { port } = server.address() as AddressInfo;
const origin = `http://localhost:${port}`;
await using browser = await openBrowser();
const pages = globSync('**/*.html', { cwd: site }).filter((page) => page !== '404.html');
assert.ok(pages.length > 100, `the site has only ${pages.length} pages`);
const schema = await fetch(`${origin}/configuration.schema.json`);
assert.ok(schema.ok, `the site answers ${schema.status} for the schema of configurations`);
const problems = [...(await visit(browser, pages)), ...(await searchProblems(browser))];
await takePictures(browser);
server.close();
for (const problem of problems) console.error(problem);
console.log(`${pages.length} pages, ${problems.length} problems; pictures are in artifacts/docs/pictures`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Opens each page on a phone, and finds what goes wrong there. */
async function visit(browser: TestBrowser, pages: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const context = await browser.newContext({ viewport: phone });
  const window = await context.newPage();
  let page = '';
  window.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith('data:')) found.push(`${page}: sends a request to ${url}`);
  });
  window.on('response', (answer) => {
    if (answer.status() >= 400) found.push(`${page}: ${answer.url()} answers ${answer.status()}`);
  });
  window.on('console', (line) => {
    if (line.type() === 'error' || line.type() === 'warning') found.push(`${page}: ${line.text()}`);
  });
  window.on('pageerror', (error) => found.push(`${page}: ${error.message}`));
  for (page of pages) {
    await window.goto(`${origin}/${page}`);
    await window.locator('.VPNav').waitFor();
    const width = await window.evaluate('document.documentElement.scrollWidth');
    if (Number(width) > phone.width) found.push(`${page}: is ${width} pixels wide on a phone`);
  }
  await context.close();
  return found;
}

/** Searches for a setting and a command, whose first result is in the reference, and for subjects, whose first result is a guide. */
async function searchProblems(browser: TestBrowser): Promise<string[]> {
  const found: string[] = [];
  const context = await browser.newContext({ viewport: desktop });
  const window = await context.newPage();
  for (const [text, place] of [
    ['refresh.idleLifetime', '/reference/settings.html#refreshidlelifetime'],
    ['client rotate-secret', '/reference/commands.html#client-rotate-secret'],
    ['signing keys', '/guides/signing-keys.html'],
    ['logout', '/guides/logout.html'],
  ] as const) {
    await window.goto(`${origin}/`);
    // Vue listens to keys from then on.
    await window.waitForFunction("document.querySelector('#app').__vue_app__ !== undefined");
    await window.keyboard.press('Control+k');
    await window.locator('.search-input').fill(text);
    // The results of the search before stay until there are new ones.
    const isFirst = window.locator(`.results > li:first-child .result[href^="${place}"]`).waitFor(patience);
    const href = await isFirst.then(
      () => place,
      () => window.locator('.result').first().getAttribute('href'),
    );
    if (href !== place) found.push(`search for ${text}: expected ${place} as the first result, got ${href}`);
    await window.screenshot({ path: join(pictures, 'search.png') });
  }
  await context.close();
  return found;
}

async function takePictures(browser: TestBrowser): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [size, viewport] of Object.entries({ desktop, phone })) {
      const context = await browser.newContext({ viewport, colorScheme });
      const window = await context.newPage();
      for (const page of [
        'index',
        'quick-start',
        'guides/metrics',
        'reference/settings',
        'architecture/index',
      ]) {
        await window.goto(`${origin}/${page}.html`);
        const path = join(pictures, `${page.replace('/', '-')}-${size}-${colorScheme}.png`);
        await window.screenshot({ path, fullPage: page !== 'reference/settings' });
      }
      await context.close();
    }
  }
}
