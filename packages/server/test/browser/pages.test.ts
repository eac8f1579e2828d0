import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Application, registerApplication } from '@watchword/server-testkit/application';
import { type ClientSite, clientSite } from '@watchword/server-testkit/client-site';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { watchedPage } from '@watchword/server-testkit/watched-page';
import { variants } from '@watchword/testkit';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import type { BrowserContextOptions } from 'playwright-core';

describe('the pages in a browser', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let site: ClientSite;
  let app: Application;
  before(async () => {
    [browser, server, site] = await Promise.all([openBrowser(), startServer(), clientSite()]);
    app = await registerApplication(server, {
      clientName: 'Photo Printer',
      description: 'Prints the photos of your albums and sends them home.',
      redirectUris: [site.callback],
      openidScopes: ['profile', 'email', 'offline_access'],
    });
  });
  let stranger: Application;
  before(async () => {
    stranger = await registerApplication(server, { redirectUris: [site.callback] });
    await server.service.store.clients.update(stranger.client.id, { ...stranger.client, trusted: false });
    await server.service.store.refreshRegistry();
  });
  after(async () => {
    await Promise.all([browser, server, site].map((each) => each[Symbol.asyncDispose]()));
  });

  let users = 0;
  const visit = async (options?: BrowserContextOptions) => {
    users += 1;
    const watched = await watchedPage(browser, [server.baseUrl, site.origin], options);
    const { page } = watched;
    const user = `user-${users}`;
    return {
      ...watched,
      user,
      async logIn() {
        await page.goto(app.authorizeUrl());
        await page.getByLabel('User name').fill(user);
        await page.getByLabel('Password').fill('secret');
        await watched.send(page.getByRole('button', { name: 'Sign in' }));
      },
      async allow() {
        await page.getByRole('button', { name: 'Allow' }).click();
        await page.waitForURL(`${site.callback}?**`);
        return new URL(page.url()).searchParams;
      },
    };
  };

  it('are accessible in both themes, make no errors and load nothing external', async () => {
    await using visitor = await visit();
    const { page, look, logIn, allow } = visitor;
    await page.goto(`${server.baseUrl}/`);
    await look('start');
    await page.goto(app.authorizeUrl());
    await look('login');
    await page.getByLabel('User name').fill(' ');
    await page.getByLabel('Password').fill('x');
    await visitor.send(page.getByRole('button', { name: 'Sign in' }));
    await look('login-refused');
    await logIn();
    await look('consent');
    assert.equal((await allow()).get('state'), 'state-1');
    await page.goto(app.authorizeUrl({ prompt: 'select_account' }));
    await look('select-account');
    await page.goto(app.authorizeUrl({ scope: 'openid profile email offline_access read' }));
    await look('consent-openid');
    await allow();
    await page.goto(app.authorizeUrl({ scope: 'openid', prompt: 'consent' }));
    await look('consent-login');
    await page.goto(`${server.baseUrl}/account`);
    await look('account');
    await visitor.send(page.getByRole('button', { name: /Photo Printer/ }));
    await look('account-empty');
    await page.goto(`${server.baseUrl}/logout`);
    await look('logout');
    await visitor.send(page.getByRole('button'));
    await look('logged-out');
    // Chromium writes an answer with an error status to the console.
    const expected = /status of 400/;
    await page.goto(app.authorizeUrl({ client_id: 'nobody' }));
    await look('error');
    await page.goto(stranger.authorizeUrl({ scope: 'root' }));
    await look('error-offered');
    await page.getByRole('link', { name: /Go on to 127/ }).click();
    await page.waitForURL(`${site.callback}?**`);
    assert.equal(new URL(page.url()).searchParams.get('error'), 'invalid_scope');
    assert.deepEqual(
      visitor.errors().filter((error) => !expected.test(error)),
      [],
    );
  });

  it('differ in the dark theme', async () => {
    const background = async (colorScheme: 'light' | 'dark') => {
      await using visitor = await visit({ colorScheme });
      await visitor.page.goto(app.authorizeUrl());
      return await visitor.page.evaluate('getComputedStyle(document.body).backgroundColor');
    };
    assert.notEqual(await background('light'), await background('dark'));
  });

  it('let a user log in, consent, withdraw and log out without scripts', async () => {
    await using visitor = await visit({ javaScriptEnabled: false });
    const { page, logIn, allow } = visitor;
    await logIn();
    const code = (await allow()).get('code') ?? '';
    const tokens = await app.redeem(code);
    assert.equal(tokens.status, 200, tokens.text);
    await page.goto(`${server.baseUrl}/account`);
    assert.ok(await page.getByText('Photo Printer').first().isVisible());
    await visitor.send(page.getByRole('button', { name: /Photo Printer/ }));
    assert.equal(await page.getByText('Photo Printer').count(), 0);
    assert.equal((await app.refresh(tokens.json.refresh_token)).json.error, 'invalid_grant');
    await page.goto(`${server.baseUrl}/logout`);
    await visitor.send(page.getByRole('button'));
    await page.goto(`${server.baseUrl}/account`);
    assert.ok(await page.getByLabel('Password').isVisible());
    assert.deepEqual(visitor.errors(), []);
  });

  for (const locale of variants(1, ['de', 'en', 'nl'])) {
    it(`show that a question was answered before, and offer a new start (${locale})`, async () => {
      await using visitor = await visit();
      const { page } = visitor;
      await visitor.logIn();
      const form = new FormData();
      form.set('auth_state', await page.locator('input[name=auth_state]').inputValue());
      form.set('decision', 'allow');
      for (const scope of ['read', 'write']) form.append('granted_scopes', scope);
      const url = `${server.baseUrl}/consent`;
      const first = await page.context().request.post(url, { form, maxRedirects: 0 });
      assert.equal(first.status(), 303);
      await page.setExtraHTTPHeaders({ 'accept-language': locale });
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.locator('.page-answered').waitFor();
      await visitor.assertAccessible();
      await visitor.screenshot(`answered-${locale}`);
      await page.getByRole('button').click();
      await page.waitForURL(`${site.callback}?**`);
      assert.ok(new URL(page.url()).searchParams.has('code'));
      assert.deepEqual(
        visitor.errors().filter((error) => !/status of 400/.test(error)),
        [],
      );
    });
  }

  it('let another user log in for the same request, and link to the account page', async () => {
    for (const javaScriptEnabled of [true, false]) {
      await using visitor = await visit({ javaScriptEnabled });
      const { page } = visitor;
      await visitor.logIn();
      const beside = page.waitForEvent('popup');
      await page.getByRole('link', { name: /account page/ }).click();
      await (await beside).getByRole('heading', { name: 'Applications with access' }).waitFor();
      await visitor.send(page.getByRole('button', { name: 'Not you?' }));
      await page.getByLabel('User name').fill('another user');
      await page.getByLabel('Password').fill('secret');
      await visitor.send(page.getByRole('button', { name: 'Sign in' }));
      assert.ok(await page.getByText('Signed in as another user').isVisible());
      await page.getByRole('checkbox', { name: 'Add, change and delete entries for you' }).uncheck();
      const code = (await visitor.allow()).get('code') ?? '';
      assert.equal((await app.redeem(code)).status, 200);
      assert.deepEqual(visitor.errors(), []);
    }
  });

  for (const locale of variants(1, ['nl', 'de'])) {
    it(`use the language of the browser (${locale})`, async () => {
      await using visitor = await visit({ locale });
      const { page } = visitor;
      await page.goto(app.authorizeUrl());
      await page.locator('input[name=username]').fill(visitor.user);
      await page.locator('input[name=password]').fill('secret');
      await visitor.send(page.locator('button[type=submit]'));
      await visitor.assertAccessible();
      await visitor.screenshot(`consent-${locale}`);
      await page.goto(`${server.baseUrl}/logout`);
      await visitor.send(page.locator('button[type=submit]'));
      await visitor.assertAccessible();
      await visitor.screenshot(`logged-out-${locale}`);
      await page.setViewportSize({ width: 320, height: 640 });
      await page.goto(stranger.authorizeUrl({ scope: 'root' }));
      await visitor.assertAccessible();
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
      await visitor.screenshot(`error-offered-${locale}`);
      assert.deepEqual(
        visitor.errors().filter((error) => !/status of 400/.test(error)),
        [],
      );
    });
  }

  it('return a denial of the user to the client', async () => {
    await using visitor = await visit();
    await visitor.logIn();
    await visitor.page.getByRole('button', { name: 'Deny' }).click();
    await visitor.page.waitForURL(`${site.callback}?**`);
    assert.equal(new URL(visitor.page.url()).searchParams.get('error'), 'access_denied');
    assert.deepEqual(visitor.errors(), []);
  });

  it('grant the scopes that the user ticks', async () => {
    await using visitor = await visit();
    await visitor.logIn();
    await visitor.page.getByRole('checkbox', { name: 'Add, change and delete entries for you' }).uncheck();
    const code = (await visitor.allow()).get('code') ?? '';
    assert.equal((await app.redeem(code)).json.scope, 'read');
  });

  it('can be used with the keyboard only, and show the focus', async () => {
    await using visitor = await visit();
    const { page } = visitor;
    const focused = () =>
      page.evaluate(
        '(({ name, value, textContent }) => [name, value || textContent.trim()])(document.activeElement)',
      );
    await page.goto(app.authorizeUrl());
    await page.waitForFunction("document.activeElement.name === 'username'");
    assert.deepEqual(await focused(), ['username', '']);
    await page.keyboard.type(visitor.user);
    await page.keyboard.press('Tab');
    await page.keyboard.type('secret');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    const order: unknown[] = [];
    for (let stop = 0; stop < 4; stop += 1) {
      await page.keyboard.press('Tab');
      order.push(await focused());
      assert.equal(await page.evaluate("document.activeElement.matches(':focus-visible')"), true);
      const outline = await page.evaluate(
        "(({ outlineStyle, outlineWidth, boxShadow }) => outlineStyle !== 'none' && outlineWidth !== '0px' || boxShadow !== 'none')(getComputedStyle(document.activeElement))",
      );
      assert.equal(outline, true, `${order.at(-1)} shows no focus`);
      if (stop === 0) await page.keyboard.press('Space');
    }
    assert.deepEqual(order, [
      ['granted_scopes', 'read'],
      ['granted_scopes', 'write'],
      ['decision', 'allow'],
      ['decision', 'deny'],
    ]);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site.callback}?**`);
    const code = new URL(page.url()).searchParams.get('code') ?? '';
    assert.equal((await app.redeem(code)).json.scope, 'write');
  });

  it('fit a narrow screen, and text of twice the size', async () => {
    await using visitor = await visit({ viewport: { width: 320, height: 640 } });
    const { page, logIn, screenshot } = visitor;
    const overflow = () => page.evaluate('document.documentElement.scrollWidth - innerWidth');
    await page.goto(app.authorizeUrl());
    assert.equal(await overflow(), 0);
    await logIn();
    assert.equal(await overflow(), 0);
    await screenshot('consent-narrow');
    await page.setViewportSize({ width: 640, height: 1280 });
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    assert.equal(await overflow(), 0);
  });

  it('AR-17: are not shown inside a page of another site', async () => {
    await using evil = await clientSite(
      `<!doctype html><title>x</title><iframe name="framed" src="${app.authorizeUrl().replaceAll('&', '&amp;')}"></iframe>`,
    );
    await using visitor = await watchedPage(browser, [server.baseUrl, evil.origin]);
    await visitor.page.goto(evil.origin);
    const frame = visitor.page.frame({ name: 'framed' });
    assert.equal(await frame?.getByLabel('Password').count(), 0);
    assert.match(visitor.errors().join('\n'), /frame-ancestors|X-Frame-Options|ERR_BLOCKED_BY_RESPONSE/);
  });

  it('LC-11: run nothing that came from outside', async () => {
    const hostile = `"'><img src=x onerror=alert(1)><svg/onload=alert(2)>`;
    const named = await registerApplication(server, {
      clientName: hostile,
      description: hostile,
      redirectUris: [site.callback],
    });
    await using visitor = await watchedPage(browser, [server.baseUrl, site.origin]);
    const { page } = visitor;
    await page.goto(named.authorizeUrl());
    await page.getByLabel('User name').fill(hostile);
    await page.getByLabel('Password').fill('x');
    await visitor.send(page.getByRole('button', { name: 'Sign in' }));
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${site.callback}?**`);
    await page.goto(`${server.baseUrl}/account`);
    assert.ok(await page.getByText(hostile).first().isVisible());
    assert.deepEqual(visitor.errors(), []);
  });

  it('IM-1: return a token in the fragment to a script of the client', async () => {
    const spa = await registerApplication(server, {
      allowedImplicitGrant: true,
      redirectUris: [site.callback],
    });
    await using visitor = await visit();
    const { page } = visitor;
    await page.goto(spa.authorizeUrl({ response_type: 'token' }));
    await page.getByLabel('User name').fill(visitor.user);
    await page.getByLabel('Password').fill('x');
    await visitor.send(page.getByRole('button', { name: 'Sign in' }));
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${site.callback}#**`);
    assert.match(new URL(page.url()).hash, /^#access_token=/);
    assert.equal(await page.evaluate('document.referrer'), '');
  });
});
