import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { anApi } from '@watchword/server-testkit/administration';
import { demoResourceServer } from '@watchword/server-testkit/server';
import type { ConsolePage } from './support/console-page.ts';
import { type ShopAccess, startShopAccess } from './support/shop-access.ts';

let access: ShopAccess;
let server: ShopAccess['server'];
let visitor: ConsolePage;
before(async () => {
  access = await startShopAccess('Web shop');
  ({ server, visitor } = access);
});
after(() => access[Symbol.asyncDispose]());

describe('the access page', () => {
  it('shows who has access, and ends it in four clicks from the overview', async () => {
    const { page } = visitor;
    const refreshToken = await access.grant('emma', { attributes: { DISPLAY_NAME: 'Emma de Vries' } });
    await page.getByRole('link', { name: 'Access' }).click();
    await page.getByRole('searchbox').fill('emma');
    const row = access.rowOf('Emma de Vries');
    await row.waitFor();
    await page.getByRole('row', { name: 'root' }).waitFor({ state: 'detached' });
    for (const text of [
      ...['Web shop', anApi.name, 'read', 'emma', 'from any-person'],
      ...['refresh token, 1 access token', 'consent is remembered'],
    ]) {
      await row.getByText(text).first().waitFor();
    }
    await row.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'End this access' }).click();
    await page.getByRole('dialog').getByText('the refresh token and 1 access token').waitFor();
    await page.getByRole('button', { name: 'End access' }).click();
    await page.getByText('No access fits').waitFor();
    assert.equal(await access.isValid(refreshToken), false);
    assert.deepEqual(visitor.errors(), []);
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
    await dialog.getByText('2 remembered consents').waitFor();
    await dialog.getByRole('button', { name: 'End all' }).click();
    await page.getByText('2 grants and 1 remembered consent ended').waitFor();
    assert.deepEqual(await Promise.all(tokens.map(access.isValid)), [false, false]);
    assert.equal(await access.isValid(other), true);
  });

  it('ends all of a client on its page, once its clientId is typed', async () => {
    const { page } = visitor;
    const token = await access.grant('hugo');
    await visitor.goTo(`/resource-servers/${access.api.id}/clients/${access.shop.id}?tab=access`);
    await access.rowOf('hugo').waitFor();
    await page.getByRole('button', { name: 'End all of this client' }).click();
    const dialog = page.getByRole('dialog');
    const end = dialog.getByRole('button', { name: 'End all' });
    await dialog.getByRole('textbox').waitFor();
    assert.equal(await end.isDisabled(), true);
    await dialog.getByRole('textbox').fill(access.shop.clientId);
    await end.click();
    await page.getByText('No person has granted it access yet').waitFor();
    assert.equal(await access.isValid(token), false);
  });
});

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

describe('the access page, for record owners', () => {
  it('shows the access of their own clients, and no attributes', async () => {
    await access.grant('ivan', { attributes: { DISPLAY_NAME: 'Ivan the attribute' } });
    const { page } = visitor;
    await visitor.signIn('owner', '/access', '{}');
    const row = access.rowOf('ivan');
    await row.waitFor();
    assert.equal(await page.getByText('Ivan the attribute').count(), 0);
    await row.getByRole('link', { name: 'ivan' }).click();
    await page.getByRole('button', { name: 'End all of this person' }).waitFor();
    await visitor.signIn('stranger', '/access', '{}');
    await page.getByText('No person has granted access yet').waitFor();
  });
});
