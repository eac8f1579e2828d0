import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type LoginAcrossSites, startLoginAcrossSites } from './support/browser-login.ts';

describe('the choice of a SAML login in a browser', () => {
  let login: LoginAcrossSites;
  before(async () => {
    login = await startLoginAcrossSites();
  });
  after(() => login[Symbol.asyncDispose]());

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
