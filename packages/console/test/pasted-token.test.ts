import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AdministrationServer, startAdministration } from '@watchword/server-testkit/administration';
import { registerClient, registerResourceServer } from '@watchword/server-testkit/clients';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';

describe('a token that is pasted into a search', () => {
  let browser: TestBrowser;
  let server: AdministrationServer;
  let visitor: ConsolePage;
  const addresses: string[] = [];
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startAdministration()]);
    visitor = await consolePage(browser, server);
    await visitor.signIn('root', '/tokens', JSON.stringify({ adminPrincipal: true }));
    visitor.page.on('request', (request) => addresses.push(request.url()));
    visitor.page.on('framenavigated', (frame) => addresses.push(frame.url()));
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  const assertInNoAddress = async (secret: string) => {
    addresses.push(visitor.page.url());
    assert.deepEqual(
      addresses.filter((address) => address.includes(secret)),
      [],
    );
    assert.equal(server.log().includes(secret), false);
    // The browser reports the answer 404 for a token that was revoked.
    assert.deepEqual(
      visitor.errors().filter((error) => !error.includes('404')),
      [],
    );
  };

  for (const route of ['/tokens', '/clients', '/resource-servers', '/access', '/audit']) {
    it(`is found by its text, and is in no address: ${route}`, async () => {
      const { page } = visitor;
      const token = await server.issueToken();
      await visitor.goTo(route);
      await page.getByRole('searchbox').fill(`Authorization: Bearer ${token}`);
      const dialog = page.getByRole('dialog', { name: 'Access token' });
      await dialog.getByText('demo-service').waitFor();
      assert.equal(await page.getByRole('searchbox', { includeHidden: true }).inputValue(), '');
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await dialog.waitFor({ state: 'detached' });
      await assertInNoAddress(token);
    });
  }

  it('can be revoked where it is shown', async () => {
    const { page } = visitor;
    const token = await server.issueToken();
    await visitor.goTo('/tokens');
    await page.getByRole('searchbox').fill(token);
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page
      .getByRole('dialog', { name: 'Revoke this token?' })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await page.getByText('The token is revoked').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const info = await server.post(
      '/v1/tokeninfo',
      { access_token: token },
      'demo-resource-server:demo-resource-server-secret',
    );
    assert.equal(info.status, 404);
    await page.getByRole('searchbox').fill(token);
    await page.getByText('No token that you can see has this text').waitFor();
    await page.keyboard.press('Escape');
    await assertInNoAddress(token);
  });

  it('is explained when it is a JWT, and can be revoked there', async () => {
    const { page } = visitor;
    const { resourceServer, credentials: api } = await registerResourceServer(server, 'Orders API', {
      accessTokenFormat: 'jwt',
    });
    const { credentials } = await registerClient(server, { expireDuration: 600 }, resourceServer.key);
    const issued = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, credentials);
    const token: string = issued.json.access_token;
    const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    await visitor.goTo('/tokens');
    await page.getByRole('searchbox').fill(`Authorization: Bearer ${token}`);
    const dialog = page.getByRole('dialog', { name: 'Access token' });
    await dialog.getByText('It is a JWT').waitFor();
    await dialog.getByText(jti, { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page
      .getByRole('dialog', { name: 'Revoke this token?' })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await page.getByText('The token is revoked').last().waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal((await server.post('/v1/tokeninfo', { access_token: token }, api)).status, 404);
    await assertInNoAddress(token);
  });

  it('is not searched when it is another credential, or incomplete', async () => {
    const { page } = visitor;
    for (const [text, title] of [
      [`wwr_${'x'.repeat(70)}`, 'a refresh token'],
      ['wws_abcdef', 'a secret'],
      [`https://id.example/account/set-password?link=wwp_${'x'.repeat(70)}`, 'a reset link'],
      ['wwa_short', 'an access token'],
    ] as const) {
      await page.getByRole('searchbox').fill(text);
      await page.getByRole('searchbox').press('Enter');
      const dialog = page.getByRole('dialog', { name: `This looks like ${title}` });
      await dialog.waitFor();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await dialog.waitFor({ state: 'detached' });
      await assertInNoAddress(text);
    }
  });

  it('is not sent as a search for a record to choose', async () => {
    const { page } = visitor;
    const token = await server.issueToken();
    await page.getByRole('button', { name: 'Issue a token' }).click();
    await page.getByRole('combobox', { name: 'Client' }).fill(token);
    await page.getByRole('option').first().waitFor();
    await assertInNoAddress(token);
  });
});
