import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { countGrants, readAll } from '@watchword/admin-client';
import { demoResourceServer } from '@watchword/server-testkit/servers/server';
import { UserAgent } from '@watchword/testkit/user-agent';
import type { ConsolePage } from '../support/console-page.ts';
import { furnish } from '../support/furnish.ts';
import { type ShopAccess, startShopAccess } from '../support/shop-access.ts';

let access: ShopAccess;
let server: ShopAccess['server'];
let visitor: ConsolePage;
before(async () => {
  access = await startShopAccess();
  ({ server, visitor } = access);
});
after(() => access[Symbol.asyncDispose]());

describe('an administrator', () => {
  it('revokes everything that was issued in the name of a user, and nothing of a namesake', async () => {
    const { page } = visitor;
    const maud = await server.person('maud');
    const namesake = await server.person('maud', { identityProvider: 'elsewhere' });
    await visitor.goTo('/tokens');
    const owners = page.getByRole('link', { name: 'maud' });
    await owners.nth(1).waitFor();
    // The newest first: the one of the namesake.
    await owners.last().click();
    await page.getByRole('button', { name: 'End everything' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('(from any-person)').waitFor();
    await dialog.getByText('every access and refresh token').waitFor();
    await dialog.getByRole('button', { name: 'End everything' }).click();
    await page.getByText('1 grant and 1 login of maud ended').waitFor();
    await page.getByText('No token is valid in the name of this person.').waitFor();
    assert.equal((await maud.get('/admin/resourceServer')).status, 401);
    assert.equal((await namesake.get('/admin/resourceServer')).status, 200);
  });
});

describe('the access page, for each choice', () => {
  it('shows no state of before in a search whose answer was on its way', async () => {
    const { page } = visitor;
    await access.grant('lena');
    await visitor.goTo('/access');
    await page.reload();
    await access.rowOf('lena').waitFor();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const answered = new Promise<void>((resolve) => {
      void page.route(
        /\/admin\/grant\?.*q=lena/,
        async (route) => {
          const response = await route.fetch();
          resolve();
          await released;
          // The page can have aborted the request.
          await route.fulfill({ response }).catch(() => {});
        },
        { times: 1 },
      );
    });
    await page.getByRole('searchbox').fill('lena');
    await answered;
    await access.rowOf('lena').getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'End this grant' }).click();
    await page.getByRole('button', { name: 'End grant' }).click();
    await page.getByText('The grant of lena to').waitFor();
    release();
    await page.getByText('No grant fits').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('ends all of a client for one person', async () => {
    const { page } = visitor;
    const tokens = [await access.grant('jane'), await access.grant('jane')];
    const other = await access.grant('kim');
    await visitor.goTo('/access?q=jane');
    await access.rowOf('jane').getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'End all of Book shop for jane' }).click();
    await page.getByRole('dialog').getByText('2 grants, with every token').waitFor();
    await page.getByRole('button', { name: 'End all', exact: true }).click();
    await page.getByText('No grant fits').waitFor();
    assert.deepEqual(await Promise.all(tokens.map(access.isValid)), [false, false]);
    assert.ok(await access.isValid(other));
  });

  it('ends all of a client on its page, once its clientId is typed', async () => {
    const { page } = visitor;
    const token = await access.grant('hugo');
    await visitor.goTo(`/resource-servers/${access.api.id}/clients/${access.shop.id}?tab=access`);
    await access.rowOf('hugo').waitFor();
    await page.getByRole('button', { name: 'End all', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const end = dialog.getByRole('button', { name: 'End all' });
    await dialog.getByRole('textbox').waitFor();
    assert.ok(await end.isDisabled());
    await dialog.getByRole('textbox').fill(access.shop.clientId);
    await end.click();
    await page.getByText('No person has granted it anything yet').waitFor();
    assert.ok(!(await access.isValid(token)));
  });

  it('counts the same in the list, on the pages of client, person and account, before the end and after it', async () => {
    const { page } = visitor;
    const agent = new UserAgent();
    await access.grant('kim', {}, agent);
    await access.grant('kim', {}, agent);
    const account = await agent.get(`${server.service.baseUrl}/account`);
    assert.equal(account.text.match(/Remove access(?! from those)/g)?.length, 1);
    await visitor.goTo('/access?q=kim');
    await access.rowOf('kim').waitFor();
    await page.locator('.table-foot').getByText('2 grants', { exact: true }).waitFor();
    await visitor.goTo('/people/any-person/kim');
    await page.locator('.table-foot').getByText('2 grants', { exact: true }).waitFor();
    const selection = { clientId: access.shop.clientId };
    const { items } = await readAll((query) => visitor.admin().grants.list({ ...query, ...selection }));
    const { grants } = countGrants(items);
    await visitor.goTo(`/resource-servers/${access.api.id}/clients/${access.shop.id}?tab=access`);
    // It was here before: the list of that time is not read again at once, and its notices are still shown.
    await page.reload();
    await page
      .locator('.table-foot')
      .getByText(new RegExp(`^${grants} grants`))
      .waitFor();
    await visitor.goTo('/access?q=kim');
    await access.rowOf('kim').getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'End all of kim' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 grants, with every token').waitFor();
    await dialog.getByText('1 remembered consent', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'End all' }).click();
    await page.getByText('2 grants and 1 remembered consent ended').last().waitFor();
    assert.match((await agent.get(`${server.service.baseUrl}/account`)).text, /No application has access/);
  });

  it('ends all of a person after it has shown the number', async () => {
    const { page } = visitor;
    const tokens = [await access.grant('finn'), await access.grant('finn')];
    const other = await access.grant('gwen');
    await visitor.goTo('/access');
    await access.rowOf('finn').getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'End all of finn' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 grants, with every token').waitFor();
    await dialog.getByText('1 remembered consent', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'End all' }).click();
    await access.rowOf('finn').waitFor({ state: 'detached' });
    await page.getByText('2 grants and 1 remembered consent ended').last().waitFor();
    assert.deepEqual(await Promise.all(tokens.map(access.isValid)), [false, false]);
    assert.ok(await access.isValid(other));
  });
});

describe('an administrator', () => {
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

  async function statusOf(token: string): Promise<number> {
    const { status } = await server.post('/v1/tokeninfo', { access_token: token }, demoResourceServer);
    return status;
  }
});

describe('a user who is not an administrator', () => {
  it('revokes what is their own, without the page of a person', async () => {
    const { page } = visitor;
    await visitor.signIn('hugo', '/tokens', '{}');
    await page.getByRole('link', { name: 'hugo' }).click();
    await page.getByRole('button', { name: 'Revoke everything', exact: true }).click();
    await page.getByRole('dialog').getByText('(from any-person)').waitFor();
    await page.getByRole('dialog').getByText('every access and refresh token').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual(visitor.errors(), []);
  });

  it('sees the tokens in their own name and of the client itself, and where to revoke the rest', async () => {
    const { page } = visitor;
    await visitor.signIn('seller', '/resource-servers', '{}');
    const { orders, job } = await furnish(server, visitor.token());
    await visitor.goTo(`/resource-servers/${orders.id}/clients/${job.id}`);
    await page.getByRole('tab', { name: 'Tokens' }).click();
    await page.getByText('those with which the client acts for itself').waitFor();
    await visitor.assertAccessible();
    assert.deepEqual(visitor.errors(), []);
  });
});

describe('the access page, for record owners', () => {
  it('shows the access of their own clients, and no attributes', async () => {
    await access.grant('ivan', { attributes: { DISPLAY_NAME: 'Ivan the attribute' } });
    const { page } = visitor;
    await visitor.signIn('owner', '/access', '{}');
    const row = access.rowOf('ivan');
    await row.waitFor();
    assert.equal(await page.getByText('Ivan the attribute').count(), 0);
    await row.getByRole('link', { name: 'ivan' }).click();
    await page.getByRole('heading', { name: 'End all grants of this person' }).waitFor();
    await visitor.signIn('stranger', '/access', '{}');
    await page.getByText('No person has granted anything yet').waitFor();
  });
});
