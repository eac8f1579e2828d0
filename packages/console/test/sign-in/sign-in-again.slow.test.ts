import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type AdministrationServer,
  anApi,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { type ConsolePage, type OpenConsole, openConsole } from '../support/console-page.ts';
import { answerInPopup, countRegistered, interruptAtForm, signInAgain } from '../support/interrupted.ts';

describe('the administration GUI whose token expires during work', () => {
  let gui: OpenConsole<AdministrationServer>;
  let server: AdministrationServer;
  let visitor: ConsolePage;
  before(async () => {
    gui = await openConsole(startAdministration());
    ({ server, visitor } = gui);
  });
  after(() => gui[Symbol.asyncDispose]());

  it('continues by itself after a login in another window', async () => {
    const { page } = visitor;
    await visitor.signIn('emma', '/resource-servers/new', '{}');
    await interruptAtForm(server, visitor, 'Kept in memory');
    const popup = await signInAgain(page);
    if (!popup.isClosed()) await popup.waitForEvent('close');
    const secret = await page.getByTestId('secret').textContent();
    assert.match(secret ?? '', /^\S{20,}$/);
    assert.equal(await countRegistered(server, visitor, 'Kept in memory'), 1);
  });

  it('asks for a newer login before what cannot be undone, and does it after that', async () => {
    using clock = stoppedClock();
    const { page } = visitor;
    await visitor.signIn('olga', '/', '{}');
    const admin = visitor.admin();
    const { id } = await admin.resourceServers.create({ ...anApi, name: 'Not for ever' });
    clock.advance(901);
    await visitor.goTo(`/resource-servers/${id}?tab=danger`);
    const dialog = page.getByRole('dialog', { name: 'Sign in again to continue' });
    const remove = async () => {
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await dialog.waitFor();
    };
    await remove();
    await dialog.getByText('the last 15 minutes').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Nothing was changed, because you did not sign in again.').waitFor();
    assert.equal((await admin.resourceServers.get(id)).record.name, 'Not for ever');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await dialog.waitFor();
    const popup = await signInAgain(page);
    await popup.getByLabel('User name').fill('olga');
    await popup.getByLabel('Password').fill('{}');
    await popup.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Resource servers', level: 1 }).waitFor();
    assert.equal(await countRegistered(server, visitor, 'Not for ever'), 0);
  });

  it('asks anew for a newer login after the user went back while the other window was open', async () => {
    using clock = stoppedClock();
    const { page } = visitor;
    await visitor.signIn('olga', '/', '{}');
    const { id } = await visitor.admin().resourceServers.create({ ...anApi, name: 'Kept after all' });
    clock.advance(901);
    await visitor.goTo(`/resource-servers/${id}?tab=danger`);
    const dialog = page.getByRole('dialog', { name: 'Sign in again to continue' });
    const confirm = () => page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await confirm();
    const popup = await signInAgain(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    if (!popup.isClosed()) await popup.waitForEvent('close');
    await confirm();
    await dialog.getByText('the last 15 minutes').waitFor();
    assert.equal(await dialog.getByRole('alert').count(), 0);
  });

  it('does nothing in the name of a namesake from another identity provider who logs in there', async () => {
    const { page } = visitor;
    const persona = (identityProvider: string) =>
      JSON.stringify({ identityProvider, attributes: { IDENTITY_PROVIDER: identityProvider } });
    await visitor.signIn('emma', '/resource-servers/new', persona('https://a.example'));
    await interruptAtForm(server, visitor, 'Not for namesakes');
    await page.context().clearCookies();
    await answerInPopup(await signInAgain(page), 'emma', persona('https://b.example'));
    const shown = page.getByRole('heading', { name: 'Overview', level: 1 });
    await shown.or(page.getByTestId('secret')).first().waitFor();
    const headers = { authorization: `Bearer ${visitor.token()}` };
    assert.deepEqual((await server.get('/admin/resourceServer', headers)).json, []);
  });
});
