import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { type ClientSite, clientSite } from '@watchword/server-testkit/clients/client-site';
import { type WatchedPage, watchedPage } from '@watchword/server-testkit/people/watched-page';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { UserAgent } from '@watchword/testkit/user-agent';
import type { Page } from 'playwright-core';

describe('a form of a page in a browser', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let site: ClientSite;
  let app: Application;
  /** In which a user has logged in. */
  let visitor: WatchedPage;
  before(async () => {
    [browser, server, site] = await Promise.all([openBrowser(), startServer(), clientSite()]);
    app = await registerApplication(server, { redirectUris: [site.callback] });
    visitor = await watchedPage(browser, [server.baseUrl, site.origin]);
    const agent = new UserAgent();
    await agent.submit(await app.open({}, agent), { username: 'emma', password: 'secret' });
    const cookies = agent.cookies.map(({ name, value }) => ({ name, value, url: server.baseUrl }));
    await visitor.page.context().addCookies(cookies);
  });
  after(async () => {
    await Promise.all([browser, server, site].map((each) => each[Symbol.asyncDispose]()));
  });

  const allow = (page: Page) => page.getByRole('button', { name: 'Allow' });

  async function openConsent(page: Page): Promise<void> {
    await page.goto(app.authorizeUrl({ prompt: 'consent' }));
    await allow(page).waitFor();
  }

  /** Answers the first submission of the consent page with a status that keeps the page open. */
  async function submitInVain(page: Page): Promise<void> {
    await page.route(`${server.baseUrl}/consent`, (route) => route.fulfill({ status: 204 }), { times: 1 });
    const answered = page.waitForResponse(`${server.baseUrl}/consent`);
    await allow(page).click();
    await answered;
  }

  async function assertGoesOn(page: Page): Promise<void> {
    assert.equal(await allow(page).getAttribute('aria-disabled'), null);
    await allow(page).click();
    await page.waitForURL(`${site.callback}?code=**`);
  }

  it('is sent once by a double click, with the button that was pressed', async () => {
    const { page } = visitor;
    await openConsent(page);
    // The first submission is not answered yet at the second click.
    const clickedTwice = Promise.withResolvers<void>();
    let submissions = 0;
    await page.route(`${server.baseUrl}/consent`, async (route) => {
      submissions += 1;
      await clickedTwice.promise;
      await route.continue().catch(() => 'another submission took its place');
    });
    const submitted = page.waitForRequest(`${server.baseUrl}/consent`);
    // The mouse does not wait for a page, as a locator does.
    const { x = 0, y = 0 } = (await allow(page).boundingBox()) ?? {};
    await page.mouse.click(x + 5, y + 5);
    await submitted;
    await page.mouse.click(x + 5, y + 5);
    clickedTwice.resolve();
    await page.waitForURL(`${site.callback}?code=**`);
    await page.unrouteAll();
    assert.equal(submissions, 1);
    assert.deepEqual(visitor.errors(), []);
  });

  slowTest('shows that the request is being sent, and no other button sends it meanwhile', async () => {
    const { page } = visitor;
    await openConsent(page);
    await submitInVain(page);
    const deny = page.getByRole('button', { name: 'Deny' });
    assert.equal(await deny.getAttribute('aria-disabled'), 'true');
    // Before the page lets its form be sent again: the checks below can take longer.
    await deny.click({ force: true });
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Deny');
    assert.ok(await allow(page).isVisible());
    await visitor.assertAccessible();
    await visitor.screenshot('consent-sent');
  });

  it('can be sent again after Back, which shows the page as the user left it', async () => {
    const { page } = visitor;
    await openConsent(page);
    await submitInVain(page);
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await assertGoesOn(page);
  });

  slowTest('can be sent again when the page is still open seconds later', async () => {
    const { page } = visitor;
    await page.clock.install();
    await openConsent(page);
    await submitInVain(page);
    await page.clock.fastForward(5000);
    await assertGoesOn(page);
  });
});
