import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientSite } from '@watchword/server-testkit/clients/client-site';
import { watchedPage } from '@watchword/server-testkit/people/watched-page';
import { startServer } from '@watchword/server-testkit/servers/server';
import { variants } from '@watchword/testkit';
import { openBrowser } from '@watchword/testkit/browser';
import { registerLogoutClient } from '../support/logout-client.ts';

describe('the pages of a logout in a browser', () => {
  for (const locale of variants(1, ['nl', 'en', 'de'])) {
    it(`name the client that asks, load its address in a frame, and lead back to it (${locale})`, async () => {
      await using browser = await openBrowser();
      await using site = await clientSite();
      await using server = await startServer({
        'signing.algorithms': 'ES256',
        'logout.frontchannel': 'true',
      });
      const app = await registerLogoutClient(server, {
        clientName: 'Photo Printer',
        redirectUris: [site.callback],
        postLogoutRedirectUris: [site.callback],
        frontchannelLogoutUri: `${site.origin}/frontchannel`,
      });
      await using visitor = await watchedPage(browser, [server.baseUrl, site.origin], { locale });
      const { page } = visitor;
      await page.goto(app.authorizeUrl({ scope: 'openid' }));
      await page.locator('input[name=username]').fill('emma');
      await page.locator('input[name=password]').fill('secret');
      await visitor.send(page.locator('main button[type=submit]:not(.link)'));
      await page.waitForURL(`${site.callback}?**`);
      const query = { client_id: app.client.clientId, post_logout_redirect_uri: site.callback, state: 's' };
      await page.goto(`${server.baseUrl}/oauth2/logout?${new URLSearchParams(query)}`);
      assert.match(await page.locator('main').innerText(), /Photo Printer/);
      await visitor.assertAccessible();
      await visitor.screenshot(`logout-asked-${locale}`);
      const framed = page.waitForRequest((request) => request.url().includes('/frontchannel?iss='));
      await visitor.send(page.locator('main button[type=submit]:not(.link)'));
      await framed;
      await visitor.screenshot(`logged-out-frames-${locale}`);
      await page.waitForURL(`${site.callback}?state=s`);

      await page.goto(`${server.baseUrl}/oauth2/logout?${new URLSearchParams(query)}`);
      await visitor.assertAccessible();
      await visitor.screenshot(`logged-out-offered-${locale}`);
      await page.getByRole('link', { name: /Photo Printer/ }).click();
      await page.waitForURL(`${site.callback}?state=s`);
    });
  }
});
