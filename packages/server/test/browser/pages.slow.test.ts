import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { logInAsAnother, type PageVisits, startPageVisits } from '../support/page-visits.ts';

describe('the pages in a browser, in each theme, language and size', () => {
  let visits: PageVisits;
  before(async () => {
    visits = await startPageVisits();
  });
  after(() => visits[Symbol.asyncDispose]());

  it('are accessible in both themes, make no errors and load nothing external', async () => {
    await using visitor = await visits.visit();
    const { page, look, logIn, allow } = visitor;
    await page.goto(`${visits.server.baseUrl}/`);
    await look('start');
    await page.goto(visits.app.authorizeUrl());
    await look('login');
    const choose = async (language: string) => {
      await page.locator('.languages summary').press('Enter');
      await look(`login-before-${language}`);
      await visitor.send(page.getByRole('button', { name: language }));
    };
    await choose('Deutsch');
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    await choose('English');
    await page.getByLabel('User name').fill(' ');
    await page.getByLabel('Password').fill('x');
    await visitor.send(page.getByRole('button', { name: 'Sign in' }));
    await look('login-refused');
    await logIn();
    await look('consent');
    assert.equal((await allow()).get('state'), 'state-1');
    await page.goto(visits.app.authorizeUrl({ prompt: 'select_account' }));
    await look('select-account');
    await page.goto(visits.app.authorizeUrl({ scope: 'openid profile email offline_access read' }));
    await look('consent-openid');
    await allow();
    await page.goto(visits.app.authorizeUrl({ scope: 'openid', prompt: 'consent' }));
    await look('consent-login');
    await page.goto(`${visits.server.baseUrl}/account`);
    await look('account');
    await page.getByRole('link', { name: /Photo Printer/ }).click();
    await page.waitForURL('**/account/withdraw?**');
    await look('account-withdraw');
    await visitor.send(page.getByRole('button', { name: 'Remove access' }));
    await look('account-empty');
    await page.goto(`${visits.server.baseUrl}/logout`);
    await look('logout');
    await visitor.send(page.getByRole('button'));
    await look('logged-out');
    // Chromium writes an answer with an error status to the console.
    const expected = /status of 400/;
    await page.goto(visits.app.authorizeUrl({ client_id: 'nobody' }));
    await look('error');
    await page.goto(visits.stranger.authorizeUrl({ scope: 'root' }));
    await look('error-offered');
    await page.getByRole('link', { name: /Go on to 127/ }).click();
    await page.waitForURL(`${visits.site.callback}?**`);
    assert.equal(new URL(page.url()).searchParams.get('error'), 'invalid_scope');
    assert.deepEqual(
      visitor.errors().filter((error) => !expected.test(error)),
      [],
    );
  });

  it('of a step of the login are too', async () => {
    const terms = { name: 'terms', version: '1', title: 'Terms of use', text: 'Be kind.\n\nDo no harm.' };
    const requiredActions = JSON.stringify([{ ...terms, url: 'https://www.example.com/terms' }]);
    await using asking = await startPageVisits({ requiredActions });
    await using visitor = await asking.visit();
    const { page, look, logIn, allow } = visitor;
    await logIn();
    await look('login-step');
    await visitor.send(page.getByRole('button', { name: 'I agree' }));
    assert.equal((await allow()).get('state'), 'state-1');
    assert.deepEqual(visitor.errors(), []);
  });

  it('differ in the dark theme', async () => {
    const background = async (colorScheme: 'light' | 'dark') => {
      await using visitor = await visits.visit({ colorScheme });
      await visitor.page.goto(visits.app.authorizeUrl());
      return await visitor.page.evaluate('getComputedStyle(document.body).backgroundColor');
    };
    assert.notEqual(await background('light'), await background('dark'));
  });

  it('let another user log in for the same request, and link to the account page', async () => {
    await using visitor = await visits.visit();
    await logInAsAnother(visits, visitor);
  });

  it('let another user log in for the same request without scripts', async () => {
    await using visitor = await visits.visit({ javaScriptEnabled: false });
    await logInAsAnother(visits, visitor);
  });

  for (const locale of ['de', 'en', 'nl']) {
    it(`show that a question was answered before, and offer a new start (${locale})`, async () => {
      await using visitor = await visits.visit();
      const { page } = visitor;
      await visitor.logIn();
      const form = new FormData();
      form.set('auth_state', await page.locator('main input[name=auth_state]').inputValue());
      form.set('decision', 'allow');
      for (const scope of ['read', 'write']) form.append('granted_scopes', scope);
      const url = `${visits.server.baseUrl}/consent`;
      const first = await page.context().request.post(url, { form, maxRedirects: 0 });
      assert.equal(first.status(), 303);
      await page.setExtraHTTPHeaders({ 'accept-language': locale });
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.locator('.page-answered').waitFor();
      await visitor.assertAccessible();
      await visitor.screenshot(`answered-${locale}`);
      await page.getByRole('button').click();
      await page.waitForURL(`${visits.site.callback}?**`);
      assert.ok(new URL(page.url()).searchParams.has('code'));
      assert.deepEqual(
        visitor.errors().filter((error) => !/status of 400/.test(error)),
        [],
      );
    });
  }

  for (const locale of ['nl', 'de']) {
    it(`use the language of the browser (${locale})`, async () => {
      await using visitor = await visits.visit({ locale });
      const { page } = visitor;
      await page.goto(visits.app.authorizeUrl());
      await page.locator('input[name=username]').fill(visitor.user);
      await page.locator('input[name=password]').fill('secret');
      await visitor.send(page.locator('main button[type=submit]:not(.link)'));
      await visitor.assertAccessible();
      await visitor.screenshot(`consent-${locale}`);
      await page.goto(`${visits.server.baseUrl}/logout`);
      await visitor.send(page.locator('main button[type=submit]:not(.link)'));
      await visitor.assertAccessible();
      await visitor.screenshot(`logged-out-${locale}`);
      await page.setViewportSize({ width: 320, height: 640 });
      await page.goto(visits.stranger.authorizeUrl({ scope: 'root' }));
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
    await using visitor = await visits.visit();
    await visitor.logIn();
    await visitor.page.getByRole('button', { name: 'Deny' }).click();
    await visitor.page.waitForURL(`${visits.site.callback}?**`);
    assert.equal(new URL(visitor.page.url()).searchParams.get('error'), 'access_denied');
    assert.deepEqual(visitor.errors(), []);
  });

  it('grant the scopes that the user ticks', async () => {
    await using visitor = await visits.visit();
    await visitor.logIn();
    await visitor.page.getByRole('checkbox', { name: 'Add, change and delete entries for you' }).uncheck();
    const code = (await visitor.allow()).get('code') ?? '';
    assert.equal((await visits.app.redeem(code)).json.scope, 'read');
  });

  it('fit a narrow screen, and text of twice the size', async () => {
    await using visitor = await visits.visit({ viewport: { width: 320, height: 640 } });
    const { page, logIn, screenshot } = visitor;
    const overflow = () => page.evaluate('document.documentElement.scrollWidth - innerWidth');
    await page.goto(visits.app.authorizeUrl());
    assert.equal(await overflow(), 0);
    await logIn();
    assert.equal(await overflow(), 0);
    await screenshot('consent-narrow');
    await page.setViewportSize({ width: 640, height: 1280 });
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    assert.equal(await overflow(), 0);
  });

  it('can be used with the keyboard only, and show the focus', async () => {
    await using visitor = await visits.visit();
    const { page } = visitor;
    const focused = () =>
      page.evaluate(
        '(({ name, value, textContent }) => [name, value || textContent.trim()])(document.activeElement)',
      );
    await page.goto(visits.app.authorizeUrl());
    await page.waitForFunction("document.activeElement.name === 'username'");
    assert.deepEqual(await focused(), ['username', '']);
    await page.keyboard.type(visitor.user);
    await page.keyboard.press('Tab');
    await page.keyboard.type('secret');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    // A page that still loads can lose keys.
    await page.waitForLoadState();
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
    await page.waitForURL(`${visits.site.callback}?**`);
    const code = new URL(page.url()).searchParams.get('code') ?? '';
    assert.equal((await visits.app.redeem(code)).json.scope, 'write');
  });

  it('say of an application that no administrator confirmed where it leads, larger than its name', async () => {
    await using visitor = await visits.visit();
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
    await using visitor = await visits.visit();
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
});
