import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/servers/account-server';
import { type Administering, anApi, anApp } from '@watchword/server-testkit/servers/administration';
import type { Page } from 'playwright-core';
import { countEffort, effortOf } from '../support/clicks.ts';
import { type ConsolePage, type OpenConsole, openConsole } from '../support/console-page.ts';

describe('common tasks, from the overview', () => {
  let gui: OpenConsole<AccountServer>;
  let server: AccountServer;
  let visitor: ConsolePage;
  let root: Administering;
  let page: Page;
  before(async () => {
    gui = await openConsole(startAccountServer());
    ({ server, visitor } = gui);
    root = await server.logIn('root');
    const { id } = await root.create('/admin/resourceServer', anApi);
    await root.create(`/admin/resourceServer/${id}/client`, {
      ...anApp,
      redirectUris: ['https://job.example/cb'],
    });
    const refused = { grant_type: 'client_credentials' };
    for (let count = 0; count < 12; count += 1)
      await server.post('/oauth2/token', refused, 'night-job:wrong');
    for (const username of ['emma', 'finn', 'gwen']) await server.addAccount(username);
    ({ page } = visitor);
    await visitor.signIn('root', '/', 'correct horse battery');
  });
  after(() => gui[Symbol.asyncDispose]());

  const link = (name: string) => page.getByRole('link', { name }).first();
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const search = (text: string) => page.getByRole('searchbox').fill(text);
  const find = async (text: string, option: string) => {
    await page.getByRole('combobox', { name: 'Find', exact: true }).fill(text);
    await page.getByRole('option', { name: option }).click();
  };
  const stored = () => button('I have stored it').click();

  const task = (name: string, most: number, walk: () => Promise<void>) =>
    it(`${name}: at most ${most} clicks`, async () => {
      await visitor.goTo('/');
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      await countEffort(page);
      await walk();
      const { clicks, fields } = await effortOf(page);
      assert.ok(clicks <= most, `${clicks} clicks, ${fields} fields`);
    });

  task('registers a resource server and its first client', 9, async () => {
    await link('Resource servers').click();
    await link('Register a resource server').click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Stock API');
    await page.getByLabel('Scopes').fill('stock.read');
    await page.getByLabel('Scopes').press('Enter');
    await button('Register').click();
    await stored();
    await link('Register a client').click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Stock job');
    await page.getByRole('radio', { name: 'A service that acts for itself' }).check();
    await page.getByRole('checkbox', { name: 'stock.read' }).check();
    await button('Register').click();
    await stored();
    await page.getByRole('heading', { name: 'Stock job', level: 1 }).waitFor();
  });

  task('registers a client of one of several APIs', 7, async () => {
    await link('Clients').click();
    await button('Register a client').click();
    await page.getByRole('option', { name: 'Orders API' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Order job');
    await page.getByRole('radio', { name: 'A service that acts for itself' }).check();
    await page.getByRole('checkbox', { name: 'read' }).first().check();
    await button('Register').click();
    await stored();
    await page.getByRole('heading', { name: 'Order job', level: 1 }).waitFor();
  });

  task('finds a client and rotates its secret', 5, async () => {
    await find('night', 'Night job');
    await page.getByRole('tab', { name: 'Secret and removal' }).click();
    await button('Rotate the secret').click();
    await button('Make a new secret').click();
    await stored();
  });

  task('finds who has access, and ends it', 4, async () => {
    const { access_token } = await server.grantTo('emma');
    await link('Grants').click();
    await search('emma');
    await page.getByRole('row', { name: 'emma' }).getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'End this grant' }).click();
    await button('End grant').click();
    await page.getByText('No grant fits').waitFor();
    assert.equal(await server.tokenStatus(access_token), 404);
  });

  task('finds why requests of a client fail', 1, async () => {
    await page.getByText('Night job: 12 requests refused').waitFor();
    await link('See why').click();
    await page.getByRole('row', { name: 'invalid_client' }).waitFor();
  });

  task('sees what changed last', 0, async () => {
    await page.getByRole('listitem').filter({ hasText: 'client night-job' }).first().waitFor();
  });

  task('revokes everything of a person', 3, async () => {
    const { access_token } = await server.grantTo('finn');
    await find('finn', 'finn');
    await button('End everything').click();
    await page.getByRole('dialog').getByRole('button', { name: 'End everything' }).click();
    await page.getByText('of finn ended').waitFor();
    assert.equal(await server.tokenStatus(access_token), 404);
  });

  task('disables an account, enables it later, and makes a reset link', 8, async () => {
    await find('gwen', 'gwen');
    await button('Disable…').click();
    await button('Disable').click();
    await button('Enable…').click();
    await button('Enable').click();
    await button('Reset the password…').click();
    await button('Reset the password').click();
    await stored();
  });

  task('adds a redirect URI', 3, async () => {
    await find('night', 'Night job');
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page
      .getByLabel('Redirect URIs', { exact: true })
      .fill('https://job.example/cb\nhttps://job.example/cb2');
    await button('Save').click();
    await page.getByText('Saved').waitFor();
  });

  task('finds a pasted token, and revokes it', 2, async () => {
    const { access_token } = await server.grantTo('emma');
    await page.getByRole('combobox', { name: 'Find', exact: true }).fill(access_token);
    await button('Revoke').click();
    await button('Revoke').click();
    await page.getByText('The token is revoked').waitFor();
    assert.equal(await server.tokenStatus(access_token), 404);
  });

  task('sees whether anything is wrong', 0, async () => {
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
  });
});
