import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ClientSite, clientSite } from '@watchword/server-testkit/clients/client-site';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import type { Page } from 'playwright-core';
import { type ConsolePage, consolePage } from '../support/console-page.ts';
import { endToken, signInAgain } from '../support/interrupted.ts';

/** A page of another origin, like that of an identity provider, which tries to navigate the window that opened it. */
const elsewhere = `<!doctype html><title>Elsewhere</title>
<p id="tie"></p><a>Go on</a>
<script>
  document.getElementById('tie').textContent = opener === null ? 'no opener' : 'an opener';
  document.querySelector('a').href = new URLSearchParams(location.search).get('next');
  if (opener !== null) opener.location = location.origin + '/taken';
</script>`;

describe('the window of a new login', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let provider: ClientSite;
  let visitor: ConsolePage;
  before(async () => {
    [browser, server, provider] = await Promise.all([
      openBrowser(),
      startServer({ authenticator: 'noop-admin' }),
      clientSite(elsewhere),
    ]);
    visitor = await consolePage(browser, server);
  });
  after(async () => {
    await Promise.all([browser, server, provider].map((each) => each[Symbol.asyncDispose]()));
  });

  /** The user has to log in again, by way of the other origin and back. */
  async function goneElsewhere(): Promise<Page> {
    const { page } = visitor;
    await visitor.signIn(undefined, '/resource-servers');
    let visits = 0;
    await page.context().route('**/authorize?*', async (route) => {
      visits += 1;
      if (visits > 1) return route.continue();
      const location = `${provider.origin}/login?next=${encodeURIComponent(route.request().url())}`;
      return route.fulfill({ status: 303, headers: { location } });
    });
    await endToken(server, visitor);
    await visitor.goTo('/clients');
    const popup = await signInAgain(page);
    await popup.getByText('opener').waitFor();
    return popup;
  }

  for (const [what, knowsPolicy] of [
    ['a browser', true],
    ['a browser that knows no opener policy', false],
  ] as const) {
    it(`has no opener in ${what}: a page of another origin in it cannot navigate the first window, and its answer arrives`, async () => {
      const { page } = visitor;
      if (!knowsPolicy) await withoutPolicy(page);
      const popup = await goneElsewhere();
      assert.equal(await popup.locator('#tie').textContent(), 'no opener');
      assert.ok(page.url().startsWith(server.service.baseUrl), page.url());
      const before = visitor.token();
      await popup.getByRole('link', { name: 'Go on' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByText('Demo Service').first().waitFor();
      assert.notEqual(visitor.token(), before);
      if (!popup.isClosed()) await popup.waitForEvent('close');
      await page.context().unrouteAll();
    });
  }
});

async function withoutPolicy(page: Page): Promise<void> {
  await page.context().route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback();
    const response = await route.fetch({ maxRedirects: 0 });
    const { 'cross-origin-opener-policy': _, ...headers } = response.headers();
    return route.fulfill({ response, headers });
  });
}
