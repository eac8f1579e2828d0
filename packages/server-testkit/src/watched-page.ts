import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { TestBrowser } from '@watchword/testkit/browser';
import axe, { type AxeResults } from 'axe-core';
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
  /** Stores a screenshot for review. `npm test` stores none, because they take as long as all other work of the browser. */
  screenshot(name: string): Promise<void>;
}

const artifacts = fileURLToPath(new URL('../../../artifacts/pages/', import.meta.url));

/** @param origins the origins to which the page can send requests */
export async function watchedPage(
  browser: TestBrowser,
  origins: readonly string[],
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
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
    async assertAccessible() {
      // During the transition between themes, the contrast of colours is too low.
      await page.evaluate(
        'Promise.allSettled(document.getAnimations().filter(({ effect }) =>' +
          ' effect.getComputedTiming().endTime < Infinity).map(({ finished }) => finished))',
      );
      // Load axe once for each document, because it has half a megabyte.
      if (await page.evaluate('window.axe === undefined')) await page.evaluate(axe.source);
      const { violations } = (await page.evaluate(
        "axe.run(document, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })",
      )) as AxeResults;
      const found = violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0]?.html}`);
      assert.deepEqual(found, [], page.url());
    },
    async screenshot(name) {
      if (process.env.TEST_PICTURES === 'none') return;
      await mkdir(artifacts, { recursive: true });
      // A screenshot of a dialog shows only the visible part of the page.
      const fullPage = !(await page.getByRole('dialog').first().isVisible());
      await page.screenshot({ path: `${artifacts}${name}.png`, fullPage });
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** A GET request that the script itself has aborted, for example because the user has left the page. */
function isAborted(request: Request): boolean {
  return (
    request.resourceType() === 'fetch' &&
    request.method() === 'GET' &&
    request.failure()?.errorText === 'net::ERR_ABORTED'
  );
}
