import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/application';
import { type ClientSite, clientSite } from '@watchword/server-testkit/client-site';
import { watchedPage } from '@watchword/server-testkit/watched-page';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { testKey } from '@watchword/testkit/certificate';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describedProvider, honest } from './support/flow.ts';
import { type IdentityProvider, startIdentityProvider } from './support/identity-provider.ts';
import { inline, introduce, type Service, startService } from './support/service.ts';

const signing = testKey('service');

// The service is at `localhost`, and all other servers are at `127.0.0.1`. These are different sites for browsers, so a POST
// from one to the other has no `SameSite=Lax` cookies.
describe('a SAML login in a browser, across sites', () => {
  let browser: TestBrowser;
  let idp: IdentityProvider;
  let service: Service;
  let site: ClientSite;
  let authorizeUrl: string;
  before(async () => {
    [browser, idp, site] = await Promise.all([openBrowser(), startIdentityProvider(), clientSite()]);
    service = await startService({
      identityProviders: [
        inline(idp, { name: 'University of Somewhere', binding: 'post' }),
        describedProvider(honest, { name: 'Elsewhere College' }),
      ],
      signing: { key: signing.key, certificate: signing.certificate },
    });
    await introduce(service, idp);
    const { client } = await registerApplication(service.server, { redirectUris: [site.callback] });
    authorizeUrl = `${service.baseUrl}/authorize?${new URLSearchParams({ response_type: 'code', client_id: client.clientId, state: 'state-1' })}`;
  });
  after(async () => {
    await Promise.all([browser, service, idp, site].map((each) => each[Symbol.asyncDispose]()));
  });

  const visit = (options?: BrowserContextOptions) =>
    watchedPage(browser, [service.baseUrl, new URL(idp.ssoUrl).origin, site.origin], options);

  async function atProvider(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Log in as e-1' }).click();
    await page.waitForURL(`${site.callback}?**`);
    const { searchParams } = new URL(page.url());
    assert.equal(searchParams.get('state'), 'state-1');
    assert.ok(searchParams.has('code'));
  }

  const sessionOf = async (page: Page) =>
    (await page.context().cookies(service.baseUrl)).some(({ name }) => name === 'watchword_session');

  it('searches the identity provider during typing, logs in there and returns', async () => {
    await using visitor = await visit();
    const { page, look } = visitor;
    await page.goto(authorizeUrl);
    await look('choice');
    await page.getByLabel('Search for your organisation').pressSequentially('somewh');
    await page.getByRole('link', { name: 'Elsewhere College' }).waitFor({ state: 'detached' });
    assert.ok(!page.url().includes('q='), 'without leaving the page');
    await look('found');
    // A script of the page in between posts the request.
    await page.getByRole('link', { name: 'University of Somewhere' }).click();
    await page.waitForURL(idp.ssoUrl);
    await atProvider(page);
    assert.equal(await sessionOf(page), true);
    assert.deepEqual(visitor.errors(), []);
    await page.goto(`${authorizeUrl}&prompt=login`);
    assert.equal(await page.getByRole('heading', { name: 'Last time' }).isVisible(), true);
  });

  it('keeps the largest authorization request in cookies that the browser accepts', async () => {
    await using visitor = await visit();
    const { page } = visitor;
    const state = '{"a":"\\u00e9"}'.repeat(250);
    const more = { state, nonce: 'n'.repeat(512), unknown: 'x'.repeat(1000) };
    await page.goto(`${authorizeUrl.replace('&state=state-1', '')}&${new URLSearchParams(more)}`);
    await page.getByRole('link', { name: 'University of Somewhere' }).click();
    await page.waitForURL(idp.ssoUrl);
    await page.getByRole('button', { name: 'Log in as e-1' }).click();
    await page.waitForURL(`${site.callback}?**`);
    const { searchParams } = new URL(page.url());
    assert.equal(searchParams.get('state'), state);
    assert.ok(searchParams.has('code'));
    assert.deepEqual(visitor.errors(), []);
  });

  it('works without scripts', async () => {
    await using visitor = await visit({ javaScriptEnabled: false });
    const { page, send } = visitor;
    await page.goto(authorizeUrl);
    await page.getByLabel('Search for your organisation').fill('somewhere');
    await send(page.getByRole('button', { name: 'Search' }));
    assert.equal(await page.getByRole('link', { name: 'Elsewhere College' }).count(), 0);
    await send(page.getByRole('link', { name: 'University of Somewhere' }));
    await send(page.getByRole('button', { name: 'Continue' }));
    await atProvider(page);
    assert.deepEqual(visitor.errors(), []);
  });

  it('ends at the identity provider too with a logout', async () => {
    await using visitor = await visit();
    const { page, assertAccessible } = visitor;
    await page.goto(authorizeUrl);
    await page.getByRole('link', { name: 'University of Somewhere' }).click();
    await page.waitForURL(idp.ssoUrl);
    await atProvider(page);
    await page.goto(`${service.baseUrl}/logout`);
    const before = idp.logouts.length;
    await page.getByRole('button').click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    assert.equal(page.url(), `${service.baseUrl}/logout`);
    await assertAccessible();
    assert.equal(idp.logouts.length, before + 1);
    assert.equal(await sessionOf(page), false);
    assert.deepEqual(visitor.errors(), []);
  });
});
