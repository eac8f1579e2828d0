import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AdministrationServer, startAdministration } from '@watchword/server-testkit/administration';
import { type ConsolePage, type OpenConsole, openConsole } from './support/console-page.ts';
import { answerInPopup, countRegistered, interruptAtForm, signInAgain } from './support/interrupted.ts';

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
