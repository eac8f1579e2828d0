import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { clientSite } from '@watchword/server-testkit/clients/client-site';
import { watchedPage } from '@watchword/server-testkit/people/watched-page';
import { exampleModule } from '@watchword/server-testkit/processes/guide';
import { openBrowser } from '@watchword/testkit/browser';
import { moduleServer } from '../support/module-server.ts';

describe('a login page of a module, as the guide shows it', () => {
  it('runs the script that it permits, and its form leads to the client', async () => {
    const source = exampleModule('badge-login.js');
    await using server = await moduleServer('authenticator', source);
    await using site = await clientSite();
    await using browser = await openBrowser();
    await using visitor = await watchedPage(browser, [server.baseUrl, server.service.baseUrl, site.origin]);
    const { page } = visitor;
    const app = await registerApplication(server, { redirectUris: [site.callback] });
    // The module knows only the base URL of the server. The browser uses it too, because cookies are bound to its host.
    await page.goto(app.authorizeUrl().replace(server.baseUrl, server.service.baseUrl));
    const field = page.getByLabel('Number');
    assert.ok(await field.evaluate((element) => element.matches(':focus')), 'its script has not run');
    await field.fill('123456');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${site.callback}?**`);
    assert.equal(new URL(page.url()).searchParams.get('state'), 'state-1');
    assert.deepEqual(visitor.errors(), []);
  });
});
