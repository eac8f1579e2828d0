import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type WatchedPage, watchedPage } from '@watchword/server-testkit/people/watched-page';
import { slowTest } from '@watchword/testkit';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { logInAt, renewed, storedUser } from './browser-app.ts';

/** The application, and the server. */
export interface Website extends AsyncDisposable {
  readonly origin: string;
  readonly issuer: string;
}

/** What the application does with its server, in one window. @param isFramed it renews in a frame, without a refresh token */
export function describeBrowserApp(name: string, start: () => Promise<Website>, isFramed: boolean): void {
  describe(`oidc-client-ts, an independent library for browsers, ${name}`, () => {
    let browser: TestBrowser;
    let site: Website;
    let watched: WatchedPage;
    before(async () => {
      [browser, site] = await Promise.all([openBrowser(), start()]);
      watched = await watchedPage(browser, [site.issuer, site.origin], { ignoreHTTPSErrors: true });
    });
    after(async () => {
      await Promise.all([browser, site].map((each) => each?.[Symbol.asyncDispose]()));
    });

    it('logs a user in by the code flow with PKCE, and reads userinfo', async () => {
      await logInAt(watched.page, site.origin, 'emma');
      const { profile, scope, token_type } = (await storedUser(watched.page)) ?? assert.fail();
      assert.deepEqual(
        [profile.email, scope, token_type],
        ['emma@example.org', 'openid profile email', 'bearer'],
      );
      assert.match(profile.sub, /^[\w-]{43}$/);
      assert.equal(new URL(watched.page.url()).search, '');
      assert.deepEqual(watched.errors(), []);
    });

    it('renews the access token, with a refresh token or in a frame with prompt=none', async () => {
      const { page } = watched;
      const before = (await storedUser(page)) ?? assert.fail();
      assert.equal(before.refresh_token === undefined, isFramed);
      const prompts: unknown[] = [];
      page.on('request', (sent) => {
        const prompt = new URL(sent.url()).searchParams.get('prompt');
        if (prompt !== null) prompts.push(prompt, sent.frame() === page.mainFrame());
      });
      const after = await renewed(page, before);
      assert.deepEqual(prompts, isFramed ? ['none', false] : []);
      assert.equal(after.profile.sub, before.profile.sub);
      assert.notEqual(after.id_token, before.id_token);
      assert.ok(isFramed || after.refresh_token !== before.refresh_token);
      assert.deepEqual(watched.errors(), []);
    });

    if (isFramed) {
      it('gets no token in a frame when the login has ended', async () => {
        const { page } = watched;
        const cookies = await page.context().cookies();
        await page.context().clearCookies();
        const failed = page.waitForEvent('pageerror');
        await page.getByRole('button', { name: 'Renew' }).click();
        assert.match(String(await failed), /has to log in, and prompt=none forbids asking/);
        await page.context().addCookies(cookies);
      });
    }

    // certification/rp-initiated-logout.test.ts holds that a client can.
    slowTest('logs the user out of the application and of the server, without a question', async () => {
      const { page } = watched;
      const before = watched.errors().length;
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.waitForURL(`${site.origin}/`);
      assert.equal(await storedUser(page), null);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByLabel('Password').waitFor();
      assert.deepEqual(watched.errors().slice(before), []);
    });
  });
}
