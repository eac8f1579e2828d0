import type { Page } from 'playwright-core';

/** What the pages show of {@link whileFailing | a failing request}. */
export const failed = 'The server met an unexpected error.';

/** Requests to an address below `/admin/` fail during the action. */
export async function whileFailing(page: Page, path: string, work: () => Promise<void>): Promise<void> {
  const address = new RegExp(`/admin/${path}(?:\\?|$)`);
  const failure = { status: 500, json: { error: 'server_error', error_description: 'x' } };
  await page.route(address, (route) => route.fulfill(failure));
  await work();
  await page.unroute(address);
}

/** Answers of the interface that its pages cannot read. */
export function answerOddly(page: Page, path: string, body: unknown): Promise<unknown> {
  return page.route(`**/admin/${path}*`, (route) => route.fulfill({ json: body }));
}
