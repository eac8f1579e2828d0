import { after, before, describe, it } from 'node:test';
import type { ConsolePage } from '../support/console-page.ts';
import { type SearchedServer, startSearchedServer } from '../support/searched-server.ts';

let searched: SearchedServer;
let server: SearchedServer['server'];
let visitor: ConsolePage;
before(async () => {
  searched = await startSearchedServer();
  ({ server, visitor } = searched);
});
after(() => searched[Symbol.asyncDispose]());

describe('a token that is pasted into a search', () => {
  it('is found by its text, and is in no address', () => searched.assertFoundByText('/tokens'));

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
      await searched.assertInNoAddress(text);
    }
  });

  it('is not sent as a search for a record to choose', async () => {
    const { page } = visitor;
    const token = await server.issueToken();
    await page.getByRole('button', { name: 'Issue a token' }).click();
    await page.getByRole('combobox', { name: 'Client' }).fill(token);
    await page.getByRole('option').first().waitFor();
    await searched.assertInNoAddress(token);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Cancel' }).click();
  });
});
