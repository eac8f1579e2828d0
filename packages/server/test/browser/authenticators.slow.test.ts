import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { chooseAgain, startChoice } from '../support/authenticator-choice.ts';
import type { PageVisits } from '../support/page-visits.ts';

describe('the choice between authenticators in each theme, language and size, and without scripts', () => {
  let visits: PageVisits;
  before(async () => {
    visits = await startChoice();
  });
  after(() => visits[Symbol.asyncDispose]());

  const visit = async (options?: BrowserContextOptions) => {
    const visitor = await visits.visit(options);
    await visitor.page.goto(visits.app.authorizeUrl());
    return visitor;
  };

  it('is accessible in both themes, makes no errors and loads nothing external, like the way back to it', async () => {
    await using visitor = await visit();
    const { page, look } = visitor;
    await look('authenticators');
    await page.getByRole('link', { name: 'Guests' }).hover();
    await page.getByRole('link', { name: 'Guests' }).click();
    await look('login-of-several');
    await page.getByLabel('User name').fill('emma');
    await page.getByLabel('Password').fill('secret');
    await visitor.send(page.getByRole('button', { name: 'Sign in', exact: true }));
    await page.goto(visits.app.authorizeUrl({ prompt: 'login' }));
    await look('authenticators-last');
    assert.match((await page.getByRole('listitem').first().textContent()) ?? '', /Guests/);
    assert.deepEqual(visitor.errors(), []);
  });

  for (const [how, options] of [
    ['', {}],
    [' without scripts', { javaScriptEnabled: false }],
  ] as const) {
    it(`is reached again by Back and by the button of a login${how}`, async () => {
      await using visitor = await visit(options);
      await visitor.page.getByRole('link', { name: 'Guests' }).click();
      await chooseAgain(visits, visitor);
    });
  }

  it('can be used with the keyboard only', async () => {
    await using visitor = await visit();
    const { page } = visitor;
    const seen: unknown[] = [];
    for (let count = 0; count < 3; count += 1) {
      await page.keyboard.press('Tab');
      seen.push(await page.evaluate('document.activeElement.querySelector("bdi").textContent'));
    }
    assert.deepEqual([seen[0], seen[2]], ['User name and password', 'Guests']);
    await page.keyboard.press('Enter');
    await page.getByLabel('Password').waitFor();
    assert.deepEqual(visitor.errors(), []);
  });

  for (const locale of ['de', 'nl']) {
    it(`uses the language of the browser, and fits on a phone (${locale})`, async () => {
      await using visitor = await visit({ locale, viewport: { width: 320, height: 640 } });
      const { page } = visitor;
      await visitor.assertAccessible();
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
      await visitor.screenshot(`authenticators-phone-${locale}`);
      await page.getByRole('link', { name: 'Guests' }).click();
      await visitor.assertAccessible();
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
      await visitor.screenshot(`login-of-several-phone-${locale}`);
      assert.deepEqual(visitor.errors(), []);
    });
  }
});
