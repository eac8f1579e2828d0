import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { clientSite } from '@watchword/server-testkit/clients/client-site';
import { watchedPage } from '@watchword/server-testkit/people/watched-page';
import { slowTest } from '@watchword/testkit';
import { type PageVisit, type PageVisits, startPageVisits } from '../support/page-visits.ts';

describe('the pages in a browser', () => {
  let visits: PageVisits;
  /** The window of each test that needs no other. */
  let visitor: PageVisit;
  before(async () => {
    visits = await startPageVisits();
    visitor = await visits.visit();
  });
  after(() => visits[Symbol.asyncDispose]());
  beforeEach(() => visitor.page.context().clearCookies());

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
