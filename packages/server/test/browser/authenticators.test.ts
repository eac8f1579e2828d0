import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Application, registerApplication } from '@watchword/server-testkit/application';
import { type ClientSite, clientSite } from '@watchword/server-testkit/client-site';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { watchedPage } from '@watchword/server-testkit/watched-page';
import { variants } from '@watchword/testkit';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import type { BrowserContextOptions } from 'playwright-core';

describe('the choice between authenticators in a browser', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let site: ClientSite;
  let app: Application;
  before(async () => {
    [browser, server, site] = await Promise.all([
      openBrowser(),
      startServer({
        authenticators: JSON.stringify([
          'password',
          { module: 'form', as: 'surfconext', label: 'SURFconext: universities and research institutes' },
          { module: 'form', as: 'guests', label: 'Guests' },
        ]),
      }),
      clientSite(),
    ]);
    app = await registerApplication(server, {
      clientName: 'Photo Printer',
      description: 'Prints the photos of your albums and sends them home.',
      redirectUris: [site.callback],
    });
  });
  after(async () => {
    await Promise.all([browser, server, site].map((each) => each[Symbol.asyncDispose]()));
  });

  const visit = async (options?: BrowserContextOptions) => {
    const watched = await watchedPage(browser, [server.baseUrl, site.origin], options);
    await watched.page.goto(app.authorizeUrl());
    return watched;
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
    await page.goto(app.authorizeUrl({ prompt: 'login' }));
    await look('authenticators-last');
    assert.match((await page.getByRole('listitem').first().textContent()) ?? '', /Guests/);
    assert.deepEqual(visitor.errors(), []);
  });

  for (const javaScriptEnabled of [true, false]) {
    it(`is reached again by Back and by the button of a login, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
      await using visitor = await visit({ javaScriptEnabled });
      const { page } = visitor;
      const title = page.getByRole('heading', { name: 'How do you want to sign in?' });
      await page.getByRole('link', { name: 'Guests' }).click();
      await page.getByLabel('User name').fill(' ');
      await page.getByLabel('Password').fill('x');
      await visitor.send(page.getByRole('button', { name: 'Sign in', exact: true }));
      await visitor.send(page.getByRole('button', { name: 'Sign in another way' }));
      await title.waitFor();
      await page.getByRole('link', { name: 'User name and password' }).click();
      await page.getByLabel('User name').waitFor();
      await page.goBack();
      await title.waitFor();
      await page.reload();
      await page.getByRole('link', { name: 'Guests' }).click();
      await page.getByLabel('User name').fill(`emma-${javaScriptEnabled}`);
      await page.getByLabel('Password').fill('secret');
      await visitor.send(page.getByRole('button', { name: 'Sign in', exact: true }));
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.waitForURL(`${site.callback}?**`);
      assert.ok(new URL(page.url()).searchParams.has('code'));
      const expected = /status of 400/;
      assert.deepEqual(
        visitor.errors().filter((error) => !expected.test(error)),
        [],
      );
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

  for (const locale of variants(1, ['de', 'nl'])) {
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
