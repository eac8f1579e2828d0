import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Locator, Page, Request } from 'playwright-core';

/** A page of a new browser context, which notes what must not happen. */
export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  /** Faults so far: errors on the console, exceptions, dialogs, requests to other origins, failed ones. */
  faults(): readonly string[];
  /** Clicks on what sends a form, and waits for the page that answers it. */
  send(button: Locator): Promise<void>;
  /** Fails for whatever a user with assistive technology would stumble over (axe, WCAG 2.2 AA). */
  assertAccessible(): Promise<void>;
  /** Keeps a picture for people. `npm test` takes none, for they take as long as all else that a browser does. */
  screenshot(name: string): Promise<void>;
}

const artifacts = fileURLToPath(new URL('../../../artifacts/pages/', import.meta.url));

/** @param origins where requests may go */
export async function watchedPage(
  browser: Browser,
  origins: readonly string[],
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('dialog', (dialog) => {
    faults.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { origin } = new URL(request.url());
    if (!origins.includes(origin)) faults.push(`a request to ${origin}`);
  });
  page.on('requestfailed', (request) => {
    if (!isGivenUp(request)) faults.push(`${request.url()}: ${request.failure()?.errorText}`);
  });

  return {
    page,
    faults: () => faults,
    async send(button) {
      const answered = page.waitForEvent('framenavigated', (frame) => frame === page.mainFrame());
      await button.click();
      await answered;
      await page.waitForLoadState();
    },
    async assertAccessible() {
      // Colours on their way from one theme to the other contrast with nothing.
      await page.evaluate(
        'Promise.allSettled(document.getAnimations().filter(({ effect }) =>' +
          ' effect.getComputedTiming().endTime < Infinity).map(({ finished }) => finished))',
      );
      // Once a document: it is half a megabyte to parse.
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
      // What stands behind a dialog is not meant to be looked at.
      const fullPage = !(await page.getByRole('dialog').first().isVisible());
      await page.screenshot({ path: `${artifacts}${name}.png`, fullPage });
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** A read that a script began and has ended itself, as when its answer is for a page that was left meanwhile. */
function isGivenUp(request: Request): boolean {
  return (
    request.resourceType() === 'fetch' &&
    request.method() === 'GET' &&
    request.failure()?.errorText === 'net::ERR_ABORTED'
  );
}
