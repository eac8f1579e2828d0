import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { TestBrowser } from '@watchword/testkit/browser';
import type { AxeResults } from 'axe-core';
import type { BrowserContextOptions, Locator, Page, Request } from 'playwright-core';

/** A page in a new browser context, which records errors. */
export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  /** Errors so far: errors on the console, exceptions, dialogs, requests to other origins, failed requests. */
  errors(): readonly string[];
  /** Clicks on a submit button and waits for the next page. */
  send(button: Locator): Promise<void>;
  /** Fails when the page has accessibility errors (axe, WCAG 2.2 AA). */
  assertAccessible(): Promise<void>;
  /** Does this in the light and in the dark theme, and stores a screenshot of each. The page stays loaded. */
  look(name: string): Promise<void>;
  /** Stores a screenshot for review. `npm test` stores none, because they take as long as all other work of the browser. */
  screenshot(name: string): Promise<void>;
}

/** All rules that fit, and those that the theme can break: axe takes a tenth of the time for them. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const rulesOfColours = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

const artifacts = fileURLToPath(new URL('../../../../artifacts/pages/', import.meta.url));

/**
 * Without motion, which takes a tenth of the processor time of the browser.
 *
 * @param origins the origins to which the page can send requests
 */
export async function watchedPage(
  browser: TestBrowser,
  origins: readonly string[],
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('dialog', (dialog) => {
    errors.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { origin } = new URL(request.url());
    if (!origins.includes(origin)) errors.push(`a request to ${origin}`);
  });
  page.on('requestfailed', (request) => {
    if (!isAborted(request)) errors.push(`${request.url()}: ${request.failure()?.errorText}`);
  });

  return {
    page,
    errors: () => errors,
    async send(button) {
      const answered = page.waitForEvent('framenavigated', (frame) => frame === page.mainFrame());
      await button.click();
      await answered;
      await page.waitForLoadState();
    },
    assertAccessible: () => assertAccessible(page, rules),
    async look(name) {
      await page.emulateMedia({ colorScheme: 'light' });
      await assertAccessible(page, rules);
      await screenshot(page, `${name}-light`);
      await page.emulateMedia({ colorScheme: 'dark' });
      await assertAccessible(page, rulesOfColours);
      await screenshot(page, `${name}-dark`);
      await page.emulateMedia({ colorScheme: 'light' });
    },
    screenshot: (name) => screenshot(page, name),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

let axe: Promise<string> | undefined;

/** Without what axe loads again and describes for rules and reports that are not used here. */
async function assertAccessible(page: Page, runOnly: unknown): Promise<void> {
  // During the transition between themes, the contrast of colours is too low.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().filter(({ effect }) =>' +
      ' effect.getComputedTiming().endTime < Infinity).map(({ finished }) => finished))',
  );
  if (await page.evaluate('window.axe === undefined')) await loadAxe(page);
  const options = JSON.stringify({ resultTypes: ['violations'], runOnly, selectors: false, preload: false });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
  const found = violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0]?.html}`);
  assert.deepEqual(found, [], page.url());
}

/** Once for each document. `page.evaluate()` would take four times as long for half a megabyte. A session that ends takes virtual authenticators with it. */
async function loadAxe(page: Page): Promise<void> {
  axe ??= readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: `${await axe};0` });
}

async function screenshot(page: Page, name: string): Promise<void> {
  if (process.env.TEST_PICTURES === 'none') return;
  await mkdir(artifacts, { recursive: true });
  // A screenshot of a dialog shows only the visible part of the page.
  const fullPage = !(await page.getByRole('dialog').first().isVisible());
  await page.screenshot({ path: `${artifacts}${name}.png`, fullPage });
}

/** A GET request of a script, or for one, that was aborted, for example because the user has left the page. */
function isAborted(request: Request): boolean {
  return (
    ['fetch', 'script'].includes(request.resourceType()) &&
    request.method() === 'GET' &&
    request.failure()?.errorText === 'net::ERR_ABORTED'
  );
}
