import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/application';
import { clientSite } from '@watchword/server-testkit/client-site';
import { watchedPage } from '@watchword/server-testkit/watched-page';
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

  it('IM-1: return a token in the fragment to a script of the client', async () => {
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

  it('are accessible, make no errors and load nothing external', async () => {
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

  it('say of an application that no administrator confirmed where it leads, larger than its name', async () => {
    const { page } = visitor;
    const before = visitor.errors().length;
    const sizeOf = (selector: string) =>
      page.evaluate<number>(`parseFloat(getComputedStyle(document.querySelector('${selector}')).fontSize)`);
    const assertNamed = async (name: string) => {
      await visitor.look(name);
      const note = page.getByRole('note').filter({ hasText: 'No administrator has checked' });
      assert.ok(await note.getByText(new URL(visits.site.callback).host, { exact: true }).isVisible());
      assert.ok(
        (await sizeOf('.unconfirmed-host')) >
          1.25 * (await sizeOf('.asking-name, .consent-application-name')),
      );
    };
    await page.goto(visits.stranger.authorizeUrl({ scope: 'openid profile email' }));
    await assertNamed('unconfirmed-login');
    await visitor.answerLogin();
    await assertNamed('unconfirmed-consent');
    assert.equal(await page.getByText('See your e-mail address').count(), 0);
    await page.setViewportSize({ width: 320, height: 640 });
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
    await visitor.look('unconfirmed-consent-narrow');
    await page.setViewportSize({ width: 1280, height: 720 });
    assert.deepEqual(visitor.errors().slice(before), []);
  });

  it('let a user log in, consent, withdraw and log out without scripts', async () => {
    await using visitor = await visits.visit({ javaScriptEnabled: false });
    const { page, logIn, allow } = visitor;
    await page.goto(visits.app.authorizeUrl());
    assert.equal(await page.locator('.reveal').isVisible(), false);
    await logIn();
    const code = (await allow()).get('code') ?? '';
    const tokens = await visits.app.redeem(code);
    assert.equal(tokens.status, 200, tokens.text);
    await page.goto(`${visits.server.baseUrl}/account`);
    assert.ok(await page.getByText('Photo Printer').first().isVisible());
    await page.getByRole('link', { name: /Photo Printer/ }).click();
    await visitor.send(page.getByRole('button', { name: 'Remove access' }));
    assert.ok(await page.getByText(/You removed the access of/).isVisible());
    assert.ok(await page.getByText('No application has access').isVisible());
    assert.equal((await visits.app.refresh(tokens.json.refresh_token)).json.error, 'invalid_grant');
    await page.goto(`${visits.server.baseUrl}/logout`);
    await visitor.send(page.getByRole('button'));
    await page.goto(`${visits.server.baseUrl}/account`);
    assert.ok(await page.getByLabel('Password').isVisible());
    assert.deepEqual(visitor.errors(), []);
  });

  it('show a password while the user wants to see it, and say where Caps Lock is on', async () => {
    const { page } = visitor;
    await page.goto(visits.app.authorizeUrl());
    const field = page.getByLabel('Password', { exact: true });
    await field.fill('x y');
    const typeOf = () => field.getAttribute('type');
    await page.getByRole('button', { name: 'Show password' }).click();
    assert.equal(await typeOf(), 'text');
    await visitor.assertAccessible();
    await visitor.look('password-shown');
    await page.getByRole('button', { name: 'Hide password' }).click();
    assert.equal(await typeOf(), 'password');
    const press = (modifierCapsLock: boolean) =>
      field.dispatchEvent('keydown', { key: 'A', modifierCapsLock });
    await press(true);
    assert.ok(await page.getByText('Caps Lock is on.').isVisible());
    await press(false);
    assert.equal(await page.getByText('Caps Lock is on.').count(), 0);
  });

  it('AR-17: are not shown inside a page of another site', async () => {
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
