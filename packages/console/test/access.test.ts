import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { anApi } from '@watchword/server-testkit/administration';
import { slowTest } from '@watchword/testkit';
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
    await page.getByRole('link', { name: 'Grants' }).click();
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
    await page.getByRole('menuitem', { name: 'End this grant' }).click();
    await page.getByRole('dialog').getByText('the refresh token and 1 access token').waitFor();
    await page.getByRole('button', { name: 'End grant' }).click();
    await page.getByText('No grant fits').waitFor();
    assert.ok(!(await access.isValid(refreshToken)));
    assert.deepEqual(visitor.errors(), []);
  });
});

describe('an administrator', () => {
  slowTest(
    'revokes everything that was issued in the name of a user, and nothing of a namesake',
    async () => {
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
    },
  );
});
