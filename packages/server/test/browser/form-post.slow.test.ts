import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { type ClientSite, clientSite } from '@watchword/server-testkit/clients/client-site';
import { watchedPage } from '@watchword/server-testkit/people/watched-page';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import type { BrowserContextOptions } from 'playwright-core';

describe('response_mode=form_post, in a browser', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let site: ClientSite;
  let app: Application;
  before(async () => {
    [browser, server, site] = await Promise.all([openBrowser(), startServer(), clientSite()]);
    app = await registerApplication(server, { clientName: 'Photo Printer', redirectUris: [site.callback] });
  });
  after(async () => {
    await Promise.all([browser, server, site].map((each) => each[Symbol.asyncDispose]()));
  });

  /** Logs in and consents. Resolves with the page, and what the browser posts to the client. */
  async function upToAllow(options: BrowserContextOptions = {}) {
    const watched = await watchedPage(browser, [server.baseUrl, site.origin], options);
    const { page } = watched;
    const posted = page.waitForRequest((request) => request.url() === site.callback);
    await page.goto(app.authorizeUrl({ response_mode: 'form_post', prompt: 'consent', state: 'x"&<' }));
    await page.getByLabel('User name').fill('emma');
    await page.getByLabel('Password').fill('secret');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    return { watched, page, posted };
  }

  it('posts the response by itself, after a form of the server', async () => {
    const { watched, page, posted } = await upToAllow();
    await using _ = watched;
    const request = await posted;
    await page.waitForURL(site.callback);
    assert.equal(request.method(), 'POST');
    const fields = new URLSearchParams(request.postData() ?? '');
    assert.equal(fields.get('state'), 'x"&<');
    assert.equal(fields.get('iss'), server.service.baseUrl);
    assert.equal((await app.redeem(fields.get('code') ?? '')).status, 200);
    assert.deepEqual(watched.errors(), []);
  });

  it('posts the response by a button when scripts are switched off', async () => {
    const { watched, page, posted } = await upToAllow({ javaScriptEnabled: false });
    await using _ = watched;
    await page.getByRole('button', { name: 'Continue' }).click();
    assert.ok(new URLSearchParams((await posted).postData() ?? '').has('code'));
    await page.waitForURL(site.callback);
    assert.deepEqual(watched.errors(), []);
  });
});
