import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type LoginAcrossSites, startLoginAcrossSites } from './support/browser-login.ts';

describe('a SAML login in a browser, across sites', () => {
  let login: LoginAcrossSites;
  before(async () => {
    login = await startLoginAcrossSites();
  });
  after(() => login[Symbol.asyncDispose]());

  const sessionOf = async (page: Page) =>
    (await page.context().cookies(login.service.baseUrl)).some(({ name }) => name === 'watchword_session');

  it('searches the identity provider during typing, logs in there and returns', async () => {
    await using visitor = await login.visit();
    const { page } = visitor;
    await page.goto(login.authorizeUrl);
    await visitor.assertAccessible();
    await page.getByLabel('Search for your organisation').pressSequentially('somewh');
    await page.getByRole('link', { name: 'Elsewhere College' }).waitFor({ state: 'detached' });
    assert.ok(!page.url().includes('q='), 'without leaving the page');
    // A script of the page in between posts the request.
    await page.getByRole('link', { name: 'University of Somewhere' }).click();
    await page.waitForURL(login.idp.ssoUrl);
    await login.atProvider(page);
    assert.ok(await sessionOf(page));
    assert.deepEqual(visitor.errors(), []);
    await page.goto(`${login.authorizeUrl}&prompt=login`);
    assert.ok(await page.getByRole('heading', { name: 'Last time' }).isVisible());
  });

  it('keeps the largest authorization request in cookies that the browser accepts', async () => {
    await using visitor = await login.visit();
    const { page } = visitor;
    const state = '{"a":"\\u00e9"}'.repeat(250);
    const more = { state, nonce: 'n'.repeat(512), unknown: 'x'.repeat(1000) };
    await page.goto(`${login.authorizeUrl.replace('&state=state-1', '')}&${new URLSearchParams(more)}`);
    await page.getByRole('link', { name: 'University of Somewhere' }).click();
    await page.waitForURL(login.idp.ssoUrl);
    await page.getByRole('button', { name: 'Log in as e-1' }).click();
    await page.waitForURL(`${login.callback}?**`);
    const { searchParams } = new URL(page.url());
    assert.equal(searchParams.get('state'), state);
    assert.ok(searchParams.has('code'));
    assert.deepEqual(visitor.errors(), []);
  });

  it('ends at the identity provider too with a logout', async () => {
    await using visitor = await login.visit();
    const { page, assertAccessible } = visitor;
    await page.goto(login.authorizeUrl);
    await page.getByRole('link', { name: 'University of Somewhere' }).click();
    await page.waitForURL(login.idp.ssoUrl);
    await login.atProvider(page);
    await page.goto(`${login.service.baseUrl}/logout`);
    const before = login.idp.logouts.length;
    await page.getByRole('button').click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    assert.equal(page.url(), `${login.service.baseUrl}/logout`);
    await assertAccessible();
    assert.equal(login.idp.logouts.length, before + 1);
    assert.ok(!(await sessionOf(page)));
    assert.deepEqual(visitor.errors(), []);
  });

  it('shows the choice and what a search finds in both themes', async () => {
    await using visitor = await login.visit();
    const { page, look } = visitor;
    await page.goto(login.authorizeUrl);
    await look('choice');
    await page.getByLabel('Search for your organisation').fill('somewh');
    await page.getByRole('link', { name: 'Elsewhere College' }).waitFor({ state: 'detached' });
    await look('found');
    assert.deepEqual(visitor.errors(), []);
  });

  it('works without scripts', async () => {
    await using visitor = await login.visit({ javaScriptEnabled: false });
    const { page, send } = visitor;
    await page.goto(login.authorizeUrl);
    await page.getByLabel('Search for your organisation').fill('somewhere');
    await send(page.getByRole('button', { name: 'Search' }));
    assert.equal(await page.getByRole('link', { name: 'Elsewhere College' }).count(), 0);
    await send(page.getByRole('link', { name: 'University of Somewhere' }));
    await send(page.getByRole('button', { name: 'Continue' }));
    await login.atProvider(page);
    assert.deepEqual(visitor.errors(), []);
  });
});
