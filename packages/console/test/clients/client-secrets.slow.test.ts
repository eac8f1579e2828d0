import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { type OpenConsole, openConsole } from '../support/console-page.ts';

describe('the secrets on the page of a client', () => {
  let gui: OpenConsole<AdministrationServer>;
  before(async () => {
    gui = await openConsole(startAdministration());
  });
  after(() => gui[Symbol.asyncDispose]());

  it('are added, shown with their ends and last use, changed and removed, the last one by its client ID alone', async () => {
    const { server, visitor } = gui;
    const { page } = visitor;
    const emma = await server.person('emma');
    const api = await emma.create('/admin/resourceServer', { ...anApi, name: 'Orders' });
    const clients = `/admin/resourceServer/${api.id}/client`;
    const job = await emma.create(clients, {
      ...anApp,
      clientName: 'Night job',
      allowedClientCredentials: true,
    });
    const token = async (secret: string) => {
      const form = { grant_type: 'client_credentials' };
      return (await server.post('/oauth2/token', form, `${job.clientId}:${secret}`)).status;
    };
    assert.equal(await token(job.secret), 200);
    await visitor.signIn('emma', `/resource-servers/${api.id}/clients/${job.id}?tab=secrets`, '{}');
    const row = (name: string) => page.getByRole('row', { name });
    await row('1').waitFor();
    // Whoever lost the secret adds one: a rotation would end those that others use.
    await page.getByRole('tab', { name: 'Use it' }).click();
    await page.getByRole('link', { name: 'make a new one' }).click();
    await page.getByRole('button', { name: 'Add a secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Description').fill('new server');
    await dialog.getByLabel('Expires').selectOption('7 days');
    await visitor.look('console-dialog-add-secret');
    await dialog.getByRole('button', { name: 'Add a secret' }).click();
    const secret = (await page.getByTestId('secret').textContent()) ?? '';
    assert.equal(await token(secret), 200);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    assert.match(await row('new server').innerText(), /in (?:6|7) days|next week/);
    await visitor.look('console-client-secrets');
    await visitor.assertAccessible();

    const choose = async (name: string, action: string) => {
      await row(name).getByRole('button', { name: 'Actions for' }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await choose('1 ', 'Remove');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Its last secret expires').waitFor();
    assert.deepEqual([await token(job.secret), await token(secret)], [401, 200]);
    await choose('new server', 'Change');
    await dialog.getByLabel('Expires').selectOption('never');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Its last secret expires').waitFor({ state: 'detached' });
    await choose('new server', 'Remove');
    await dialog.getByText('the last valid secret').waitFor();
    const remove = dialog.getByRole('button', { name: 'Remove' });
    assert.ok(await remove.isDisabled());
    await dialog.getByRole('textbox').fill(job.clientId);
    await remove.click();
    await page.getByText('has no secret, so it cannot authenticate').waitFor();
    assert.equal(await token(secret), 401);
    assert.deepEqual(visitor.errors(), []);
  });
});
