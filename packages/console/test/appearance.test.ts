import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';
import { furnish } from './support/furnish.ts';
import { everyPlace, type Place, visitPlace } from './support/places.ts';

/** The tests of their actions check the other pages, and the slow file checks all in both themes. */
const checkedHere = [
  ...['resource-servers', 'resource-server-new', 'resource-server-use', 'client-new'],
  ...['client-danger', 'access', 'tokens', 'identity-providers', 'audit'],
];

describe('the pages of the administration GUI', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let visitor: ConsolePage;
  let places: readonly Place[];
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer({ authenticator: 'noop-admin' })]);
    visitor = await consolePage(browser, server);
    await visitor.signIn(undefined, '/nowhere');
    places = everyPlace(await furnish(server, visitor.token()));
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  const visit = (name: string) =>
    visitPlace(visitor, places.find((place) => place.name === name) ?? assert.fail(name));

  it('are accessible, make no errors and load nothing external', async () => {
    for (const name of checkedHere) {
      await visit(name);
      await visitor.assertAccessible();
    }
    assert.deepEqual(visitor.errors(), []);
  });

  it('can be used with the keyboard only', async () => {
    const { page } = visitor;
    await visit('overview');
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
    await visit('resource-server');
    await page.getByRole('tab', { name: 'Clients' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Settings', selected: true }).waitFor();
    await visit('resource-server-danger');
    await page.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Delete');
  });

  it('have no motion, and change their colours at once, for users who prefer reduced motion', async () => {
    const { page } = visitor;
    await visit('resource-servers');
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
});
