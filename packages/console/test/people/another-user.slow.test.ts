import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startAdministration } from '@watchword/server-testkit/servers/administration';
import { openConsole } from '../support/console-page.ts';
import { answerInPopup, countRegistered, interruptAtForm, signInAgain } from '../support/interrupted.ts';

/** The attributes of most people: none. */
const plain = '{}';

describe('the administration GUI after a login', () => {
  it('does nothing in the name of another user who logs in when its token has ended, and shows them nothing', async () => {
    await using gui = await openConsole(startAdministration());
    const { server, visitor } = gui;
    const { page } = visitor;
    await visitor.signIn('first-person', '/resource-servers/new', plain);
    await interruptAtForm(server, visitor, 'Not for others');
    await page.context().clearCookies();
    await answerInPopup(await signInAgain(page), 'second-person', plain);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    assert.equal(await countRegistered(server, visitor, 'Not for others'), 0);
    await visitor.goTo('/resource-servers/new');
    assert.equal(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue(), '');
  });
});
