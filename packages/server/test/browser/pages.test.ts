import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { clientSite } from '@watchword/server-testkit/clients/client-site';
import { watchedPage } from '@watchword/server-testkit/people/watched-page';
import { slowTest, variants } from '@watchword/testkit';
import { UserAgent } from '@watchword/testkit/user-agent';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type PageVisit, type PageVisits, startPageVisits } from '../support/page-visits.ts';

let visits: PageVisits;
/** The window of each test that needs no other. */
let visitor: PageVisit;
before(async () => {
  visits = await startPageVisits();
  visitor = await visits.visit();
});
after(() => visits[Symbol.asyncDispose]());

describe('the pages in a browser', () => {
  beforeEach(() => visitor.page.context().clearCookies());

  // page-states.slow.test.ts holds it of every page.
  it('are accessible, as the login page is', async () => {
    await visitor.page.goto(visits.app.authorizeUrl());
    await visitor.assertAccessible();
  });

  it('LC-11: run nothing that came from outside', async () => {
    const hostile = `"'><img src=x onerror=alert(1)><svg/onload=alert(2)>`;
    const named = await registerApplication(visits.server, {
      clientName: hostile,
      description: hostile,
      redirectUris: [visits.site.callback],
    });
    const { page } = visitor;
    await page.goto(named.authorizeUrl());
    await page.getByLabel('User name').fill(hostile);
    await page.getByLabel('Password').fill('x');
    await visitor.send(page.getByRole('button', { name: 'Sign in' }));
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${visits.site.callback}?**`);
    await page.goto(`${visits.server.baseUrl}/account`);
    assert.ok(await page.getByText(hostile).first().isVisible());
    assert.deepEqual(visitor.errors(), []);
  });

  // attacks/implicit.test.ts holds the answer, and its headers.
  slowTest('IM-1: return a token in the fragment to a script of the client', async () => {
    const spa = await registerApplication(visits.server, {
      allowedImplicitGrant: true,
      redirectUris: [visits.site.callback],
    });
    const { page } = visitor;
    await page.goto(spa.authorizeUrl({ response_type: 'token' }));
    await visitor.answerLogin();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${visits.site.callback}#**`);
    assert.match(new URL(page.url()).hash, /^#access_token=/);
    assert.equal(await page.evaluate('document.referrer'), '');
  });

  slowTest('are accessible, make no errors and load nothing external', async () => {
    await using visitor = await visits.visit();
    const { page } = visitor;
    await page.goto(visits.app.authorizeUrl());
    await visitor.assertAccessible();
    await visitor.answerLogin();
    await visitor.assertAccessible();
    await visitor.allow();
    await page.goto(`${visits.server.baseUrl}/account`);
    await visitor.assertAccessible();
    await page.locator('a[href*="/account/withdraw"]').first().click();
    await visitor.assertAccessible();
    await page.goto(`${visits.server.baseUrl}/logout`);
    await visitor.assertAccessible();
    assert.deepEqual(visitor.errors(), []);
    await page.goto(visits.app.authorizeUrl({ client_id: 'nobody' }));
    await visitor.assertAccessible();
  });

  // attacks/authorization-request.test.ts holds the headers that browsers obey.
  slowTest('AR-17: are not shown inside a page of another site', async () => {
    await using evil = await clientSite(
      `<!doctype html><title>x</title><iframe name="framed" src="${visits.app.authorizeUrl().replaceAll('&', '&amp;')}"></iframe>`,
    );
    await using visitor = await watchedPage(visits.browser, [visits.server.baseUrl, evil.origin]);
    await visitor.page.goto(evil.origin);
    const frame = visitor.page.frame({ name: 'framed' });
    assert.equal(await frame?.getByLabel('Password').count(), 0);
    assert.match(visitor.errors().join('\n'), /frame-ancestors|X-Frame-Options|ERR_BLOCKED_BY_RESPONSE/);
  });
});

describe('an authorization request that a page of another site posts, in a browser', () => {
  before(() => visitor.page.context().clearCookies());

  /** A browser treats this name as another site than the address of the server. */
  const elsewhere = () => visits.site.origin.replace('127.0.0.1', 'localhost');

  /** A page of the other site posts a form to the authorization endpoint, by a button without a script. */
  async function post(page: Page, parameters: Record<string, string> = {}): Promise<void> {
    const query = { ...Object.fromEntries(new URL(visits.app.authorizeUrl()).searchParams), ...parameters };
    const inputs = Object.entries(query).map(([name, value]) => `<input name="${name}" value="${value}">`);
    const form = `<form method="post" action="${visits.server.baseUrl}/authorize">${inputs.join('')}<button>Go</button></form>`;
    await page.route(`${elsewhere()}/start`, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>x</title>${form}` }),
    );
    await page.goto(`${elsewhere()}/start`);
    await page.getByRole('button', { name: 'Go' }).click();
  }

  it('starts a login in a browser without cookies of the server', async () => {
    const { page } = visitor;
    await post(page);
    await visitor.answerLogin();
    await visitor.allow();
    assert.deepEqual(visitor.errors(), []);
  });

  slowTest(
    'does not change the login session or an open page, and continues by itself to single sign-on',
    async () => {
      const { page } = visitor;
      const other = await page.context().newPage();
      await other.goto(visits.app.authorizeUrl({ prompt: 'consent' }));
      const before = await page.context().cookies(visits.server.baseUrl);

      await post(page, { state: 'posted', submit: 'a field may be called so' });
      await page.waitForURL(`${visits.site.callback}?**`);
      const answered = new URL(page.url()).searchParams;
      assert.equal(answered.get('state'), 'posted');
      assert.ok(answered.has('code'));
      assert.deepEqual(await page.context().cookies(visits.server.baseUrl), before);
      await other.getByRole('button', { name: 'Allow' }).click();
      await other.waitForURL(`${visits.site.callback}?**`);
      assert.ok(new URL(other.url()).searchParams.has('code'));
      assert.deepEqual(visitor.errors(), []);
    },
  );

  for (const [name, options] of variants<readonly [string, BrowserContextOptions]>(1, [
    ['light', {}],
    ['de', { locale: 'de' }],
    ['dark', { colorScheme: 'dark' }],
    ['phone', { viewport: { width: 320, height: 640 } }],
    ['nl', { locale: 'nl' }],
  ])) {
    // pages.test.ts holds the button, and the user agent of attacks/posted-requests.test.ts has no script.
    slowTest(`continues by a button where there is no script (${name})`, async () => {
      await using visitor = await visits.visit({ ...options, javaScriptEnabled: false });
      const { page } = visitor;
      await post(page);
      await visitor.screenshot(`repeat-${name}`);
      await visitor.send(page.getByRole('button'));
      assert.equal(await page.locator('input[name=password]').count(), 1);
      assert.deepEqual(visitor.errors(), []);
    });
  }
});

describe('a form of a page in a browser', () => {
  before(async () => {
    const { app, server } = visits;
    const agent = new UserAgent();
    await agent.submit(await app.open({}, agent), { username: 'emma', password: 'secret' });
    const cookies = agent.cookies.map(({ name, value }) => ({ name, value, url: server.baseUrl }));
    await visitor.page.context().clearCookies();
    await visitor.page.context().addCookies(cookies);
  });

  const allow = (page: Page) => page.getByRole('button', { name: 'Allow' });

  async function openConsent(page: Page): Promise<void> {
    await page.goto(visits.app.authorizeUrl({ prompt: 'consent' }));
    await allow(page).waitFor();
  }

  /** Answers the first submission of the consent page with a status that keeps the page open. */
  async function submitInVain(page: Page): Promise<void> {
    await page.route(`${visits.server.baseUrl}/consent`, (route) => route.fulfill({ status: 204 }), {
      times: 1,
    });
    const answered = page.waitForResponse(`${visits.server.baseUrl}/consent`);
    await allow(page).click();
    await answered;
  }

  async function assertGoesOn(page: Page): Promise<void> {
    assert.equal(await allow(page).getAttribute('aria-disabled'), null);
    await allow(page).click();
    await page.waitForURL(`${visits.site.callback}?code=**`);
  }

  it('is sent once by a double click, with the button that was pressed', async () => {
    const { page } = visitor;
    await openConsent(page);
    // The first submission is not answered yet at the second click.
    const clickedTwice = Promise.withResolvers<void>();
    let submissions = 0;
    await page.route(`${visits.server.baseUrl}/consent`, async (route) => {
      submissions += 1;
      await clickedTwice.promise;
      await route.continue().catch(() => 'another submission took its place');
    });
    const submitted = page.waitForRequest(`${visits.server.baseUrl}/consent`);
    // The mouse does not wait for a page, as a locator does.
    const { x = 0, y = 0 } = (await allow(page).boundingBox()) ?? {};
    await page.mouse.click(x + 5, y + 5);
    await submitted;
    await page.mouse.click(x + 5, y + 5);
    clickedTwice.resolve();
    await page.waitForURL(`${visits.site.callback}?code=**`);
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
