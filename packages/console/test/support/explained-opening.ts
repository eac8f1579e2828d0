import assert from 'node:assert/strict';
import { watchedPage } from '@watchword/server-testkit/people/watched-page';
import { startServer } from '@watchword/server-testkit/servers/server';
import type { TestBrowser } from '@watchword/testkit/browser';

const elsewhere = 'http://id.example';

/**
 * Opens the GUI by the name of another machine, which leads to the server, and sees why it does not open.
 *
 * @param baseUrl of the server; without it, an address of its own machine
 */
export async function assertExplained(
  browser: TestBrowser,
  baseUrl: string | undefined,
  { title, advice, picture }: { readonly title: string; readonly advice: RegExp; readonly picture: string },
): Promise<void> {
  await using server = await startServer({
    allowInsecureAuthentication: 'true',
    ...(baseUrl !== undefined && { baseUrl }),
  });
  await using visitor = await watchedPage(browser, [elsewhere]);
  const { page } = visitor;
  await page.route(`${elsewhere}/**`, async (route) => {
    const url = route.request().url().replace(elsewhere, `http://127.0.0.1:${server.port}`);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await page.goto(`${elsewhere}/client/client.html`);
  await page.getByRole('heading', { name: title }).waitFor();
  assert.match(await page.getByRole('main').innerText(), advice);
  assert.equal(page.url(), `${elsewhere}/client/client.html`);
  await visitor.assertAccessible();
  await visitor.screenshot(picture);
  // Browsers write to the console there that they ignore the header.
  const errors = visitor.errors().filter((error) => !error.startsWith('The Cross-Origin-Opener-Policy'));
  assert.deepEqual(errors, []);
}
