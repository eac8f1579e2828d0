import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AdministrationServer, startAdministration } from '@watchword/server-testkit/administration';
import { demoResourceServer } from '@watchword/server-testkit/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';
import { furnish } from './support/furnish.ts';

describe('an administrator', () => {
  let browser: TestBrowser;
  let server: AdministrationServer;
  let visitor: ConsolePage;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startAdministration()]);
    visitor = await consolePage(browser, server);
    await visitor.signIn('root', '/clients', JSON.stringify({ adminPrincipal: true }));
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  it('revokes everything that was issued in the name of a user, and nothing of a namesake', async () => {
    const { page } = visitor;
    const emma = await server.person('emma');
    const namesake = await server.person('emma', { identityProvider: 'elsewhere' });
    await visitor.goTo('/tokens');
    const owners = page.getByRole('link', { name: 'emma' });
    await owners.nth(1).waitFor();
    // The newest first: the one of the namesake.
    await owners.last().click();
    await page.getByRole('button', { name: 'End everything' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('(from any-person)').waitFor();
    await dialog.getByText('every access and refresh token').waitFor();
    await dialog.getByRole('button', { name: 'End everything' }).click();
    await page.getByText('1 grant and 1 login of emma ended').waitFor();
    await page.getByText('No token is valid in the name of this person.').waitFor();
    assert.equal((await emma.get('/admin/resourceServer')).status, 401);
    assert.equal((await namesake.get('/admin/resourceServer')).status, 200);
  });

  it('revokes all tokens of a client, which can get new ones', async () => {
    const { page } = visitor;
    await visitor.goTo('/clients');
    await page.getByRole('link', { name: 'Demo Service' }).click();
    const old = await server.issueToken();
    await page.getByRole('tab', { name: 'Secret and removal' }).click();
    await page.getByRole('button', { name: 'Revoke all tokens' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('is revoked at once, for all its users').waitFor();
    await dialog.getByRole('button', { name: 'Revoke all tokens' }).click();
    await page.getByText('All tokens of Demo Service are revoked').waitFor();
    assert.equal(await statusOf(old), 404);
    assert.equal(await statusOf(await server.issueToken()), 200);
    assert.deepEqual(visitor.errors(), []);
  });

  it('revokes what is their own, without the page of a person, for a user who is not an administrator', async () => {
    const { page } = visitor;
    await visitor.signIn('hugo', '/tokens', '{}');
    await page.getByRole('link', { name: 'hugo' }).click();
    await page.getByRole('button', { name: 'Revoke everything of this person' }).click();
    await page.getByRole('dialog').getByText('(from any-person)').waitFor();
    await page.getByRole('dialog').getByText('every access and refresh token').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual(visitor.errors(), []);
  });

  it('sees the list of all tokens, while other users see their own, and where to revoke the rest', async () => {
    const { page } = visitor;
    await visitor.signIn('owner', '/resource-servers', '{}');
    const { orders, job } = await furnish(server, visitor.token());
    await visitor.goTo(`/resource-servers/${orders.id}/clients/${job.id}`);
    await page.getByRole('tab', { name: 'Tokens' }).click();
    await page.getByText('As soon as a client gets one in your name').waitFor();
    await page.getByText('the client acts for itself, are not shown').waitFor();
    await visitor.assertAccessible();
    assert.deepEqual(visitor.errors(), []);
  });

  async function statusOf(token: string): Promise<number> {
    const { status } = await server.post('/v1/tokeninfo', { access_token: token }, demoResourceServer);
    return status;
  }
});
