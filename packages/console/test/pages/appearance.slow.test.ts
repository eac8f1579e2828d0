import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { ConsolePage } from '../support/console-page.ts';
import { type OpenPlaces, openPlaces, visitPlace } from '../support/places.ts';

describe('the pages of the administration GUI, in each theme and size', () => {
  let gui: OpenPlaces;
  let visitor: ConsolePage;
  before(async () => {
    gui = await openPlaces();
    ({ visitor } = gui);
  });
  after(() => gui[Symbol.asyncDispose]());

  it('are accessible in both themes, make no errors and load nothing external', async () => {
    for (const place of gui.places) {
      await visitPlace(visitor, place);
      await visitor.look(`console-${place.name}`);
    }
    assert.deepEqual(visitor.errors(), []);
  });

  it('have no motion, and change their colours at once, for users who prefer reduced motion', async () => {
    const { page } = visitor;
    await gui.visit('resource-servers');
    const heading = 'getComputedStyle(document.querySelector("h1 bdi")).color';
    const before = await page.evaluate(heading);
    // Within one turn, before the browser draws.
    const [colour, moving] = await page.evaluate<[string, number]>(
      `document.documentElement.dataset.colorScheme = 'dark'; [${heading}, document.getAnimations().length]`,
    );
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.equal(moving, 0);
    assert.notEqual(colour, before);
    assert.equal(await page.evaluate(heading), colour);
  });

  it('have dialogs that are accessible in both themes', async () => {
    const { page } = visitor;
    const look = async (name: string) => {
      await page.getByRole('dialog').waitFor();
      await visitor.look(`console-dialog-${name}`);
    };
    await gui.visit('resource-server-danger');
    await page.getByRole('button', { name: 'Delete' }).click();
    await look('delete');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await look('rotate');
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    await page.getByTestId('secret').waitFor();
    await look('secret');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await gui.visit('tokens');
    await page.getByRole('button', { name: 'Actions' }).first().click();
    await page.getByRole('menu').waitFor();
    await visitor.look('console-token-menu');
    await page.getByRole('menuitem', { name: 'Change' }).click();
    await page.getByLabel('Expires').waitFor();
    await look('token');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Issue a token' }).click();
    await page.getByRole('combobox', { name: 'Client' }).fill('shop');
    await page.getByRole('option', { name: 'Web shop' }).waitFor();
    await look('issue-search');
    await page.getByRole('option', { name: 'Web shop' }).click();
    await page.getByRole('checkbox', { name: 'refund' }).waitFor();
    await look('issue');
    await page.getByRole('button', { name: 'Issue', exact: true }).click();
    await page.getByTestId('secret').waitFor();
    await look('issued');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await gui.visit('access');
    await page.getByRole('button', { name: 'Actions' }).first().click();
    await page.getByRole('menuitem', { name: 'End this grant' }).click();
    await look('end-access');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Actions' }).first().click();
    await page.getByRole('menuitem', { name: 'End all of noop', exact: true }).click();
    await page.getByRole('button', { name: 'End all', exact: true }).waitFor();
    await look('end-all-access');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('searchbox').fill(visitor.token());
    await page.getByRole('button', { name: 'Revoke' }).waitFor();
    await look('found-token');
    await page.getByRole('button', { name: 'Close' }).last().click();
    await gui.visit('identity-providers');
    await page.getByRole('button', { name: 'Revoke all' }).click();
    await look('end-identity-provider');
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  it('can be used with the keyboard only', async () => {
    const { page } = visitor;
    await gui.visit('overview');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Skip to content' }).press('Enter');
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'MAIN');
    const servers = page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Resource servers' });
    await servers.press('Enter');
    await page.getByRole('heading', { name: 'Resource servers', level: 1 }).waitFor();
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'MAIN');
    await page.getByRole('button', { name: 'Name' }).press('Enter');
    await page.locator('th[aria-sort=descending]').getByText('Name').waitFor();
    const names = await page.locator('.row-link').allInnerTexts();
    assert.deepEqual(names, names.toSorted().toReversed());
    await gui.visit('resource-server');
    await page.getByRole('tab', { name: 'Clients' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Settings', selected: true }).waitFor();
    await gui.visit('resource-server-danger');
    await page.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Delete');
  });

  it('fit a phone, with the menu behind a button', async () => {
    const { page } = visitor;
    await page.setViewportSize({ width: 360, height: 740 });
    for (const place of gui.places) {
      await visitPlace(visitor, place);
      assert.ok(await fits(page), `${place.name} is wider than the screen`);
      await visitor.screenshot(`console-${place.name}-phone`);
    }
    const menu = page.getByRole('button', { name: 'Menu' });
    const clients = page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Clients', exact: true });
    assert.ok(!(await clients.isVisible()));
    await menu.click();
    await visitor.assertAccessible();
    await visitor.screenshot('console-menu-phone');
    await clients.click();
    await page.getByRole('heading', { name: 'Clients', level: 1 }).waitFor();
    assert.ok(!(await clients.isVisible()));
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('has a search for all records of the server, which shows when it finds nothing, and which Back ends', async () => {
    const { page } = visitor;
    await gui.visit('tokens');
    await page.getByRole('searchbox').fill('web-sh');
    await page.getByText(/^\d tokens?$/).waitFor();
    await page.getByRole('searchbox').fill('nobody');
    await page.getByText('No token fits').waitFor();
    await gui.visit('clients');
    await page.getByRole('searchbox').fill('BOOKS');
    await page.getByText('1 client', { exact: true }).waitFor();
    // The first step ends the search.
    await page.goBack();
    await page.waitForURL(({ hash }) => hash === '#/clients');
    await page.getByText(/^[2-9]\d* clients$/).waitFor();
    await page.goBack();
    await page.waitForURL(({ hash }) => hash === '#/tokens?q=nobody');
    await page.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor();
    await page.goBack();
    await page.waitForURL(({ hash }) => hash === '#/tokens');
  });
});

async function fits(page: Page): Promise<boolean> {
  return (await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')) === true;
}
