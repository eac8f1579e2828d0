import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import type { Page } from 'playwright-core';
import { type ConsolePage, consolePage } from './support/console-page.ts';
import { furnish } from './support/furnish.ts';

interface Place {
  readonly name: string;
  readonly route: string;
  /** The content that must be visible before the check. */
  readonly until: string;
}

describe('the pages of the administration GUI', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let visitor: ConsolePage;
  let places: readonly Place[];
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer({ authenticator: 'noop-admin' })]);
    visitor = await consolePage(browser, server);
    await visitor.signIn(undefined, '/nowhere');
    const { orders, job } = await furnish(server, visitor.token());
    const client = `/resource-servers/${orders.id}/clients/${job.id}`;
    const resourceServer = `/resource-servers/${orders.id}`;
    places = [
      { name: 'overview', route: '/', until: 'unknown grant type' },
      { name: 'resource-servers', route: '/resource-servers', until: 'Orders API' },
      { name: 'resource-server-new', route: '/resource-servers/new', until: 'Contact e-mail' },
      { name: 'resource-server', route: resourceServer, until: 'Night job' },
      { name: 'resource-server-settings', route: `${resourceServer}?tab=settings`, until: 'Contact e-mail' },
      { name: 'resource-server-use', route: `${resourceServer}?tab=use`, until: '/v1/tokeninfo' },
      {
        name: 'resource-server-danger',
        route: `${resourceServer}?tab=danger`,
        until: 'Delete this resource server',
      },
      { name: 'clients', route: '/clients', until: 'Web shop' },
      { name: 'client-new', route: `${resourceServer}/clients/new`, until: 'A service that acts for itself' },
      { name: 'client-settings', route: `${client}?tab=settings`, until: 'Redirect URIs' },
      { name: 'client-use', route: client, until: '/oauth2/token' },
      { name: 'client-login', route: `${client}?tab=login`, until: 'Only redirect URIs' },
      { name: 'client-tokens', route: `${client}?tab=tokens`, until: '30 tokens' },
      { name: 'client-access', route: `${client}?tab=access`, until: 'No person has granted it access yet' },
      { name: 'client-errors', route: `${client}?tab=errors`, until: 'unsupported_grant_type' },
      { name: 'client-danger', route: `${client}?tab=danger`, until: 'Revoke all its tokens' },
      { name: 'access', route: '/access', until: 'Web shop' },
      { name: 'person', route: '/people/noop-admin/noop', until: 'logged in' },
      { name: 'tokens', route: '/tokens', until: 'web-shop' },
      { name: 'identity-providers', route: '/identity-providers', until: 'noop-admin' },
      { name: 'audit', route: '/audit', until: 'token of' },
      { name: 'audit-logins', route: '/audit?type=logins', until: 'access for' },
      { name: 'nowhere', route: '/nowhere', until: 'There is no such page' },
    ];
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  const visit = async ({ route, until }: Place) => {
    await visitor.goTo(route);
    await visitor.page.locator('main').getByText(until).first().waitFor();
    await visitor.page.locator('main:not(:has(.loading))').waitFor();
  };

  it('are accessible in both themes, make no errors and load nothing external', async () => {
    await inColours('light');
    for (const place of places) {
      await visit(place);
      await visitor.look(`console-${place.name}`);
    }
    assert.deepEqual(visitor.errors(), []);
  });

  it('have dialogs that are accessible in both themes', async () => {
    const { page } = visitor;
    await inColours('light');
    const look = async (name: string) => {
      await page.getByRole('dialog').waitFor();
      await visitor.look(`console-dialog-${name}`);
    };
    await visit(placeNamed('resource-server-danger'));
    await page.getByRole('button', { name: 'Delete' }).click();
    await look('delete');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await look('rotate');
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    await page.getByTestId('secret').waitFor();
    await look('secret');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await visit(placeNamed('tokens'));
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
    await visit(placeNamed('access'));
    await page.getByRole('button', { name: 'Actions' }).first().click();
    await page.getByRole('menuitem', { name: 'End this access' }).click();
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
    await visit(placeNamed('identity-providers'));
    await page.getByRole('button', { name: 'Revoke all' }).click();
    await look('end-identity-provider');
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  it('fit a phone, with the menu behind a button', async () => {
    const { page } = visitor;
    await inColours('light');
    await page.setViewportSize({ width: 360, height: 740 });
    for (const place of places) {
      await visit(place);
      assert.ok(await fits(page), `${place.name} is wider than the screen`);
      await visitor.screenshot(`console-${place.name}-phone`);
    }
    const menu = page.getByRole('button', { name: 'Menu' });
    const clients = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Clients' });
    assert.equal(await clients.isVisible(), false);
    await menu.click();
    await visitor.assertAccessible();
    await visitor.screenshot('console-menu-phone');
    await clients.click();
    await page.getByRole('heading', { name: 'Clients', level: 1 }).waitFor();
    assert.equal(await clients.isVisible(), false);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('can be used with the keyboard only', async () => {
    const { page } = visitor;
    await visit(placeNamed('overview'));
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
    await visit(placeNamed('resource-server'));
    await page.getByRole('tab', { name: 'Clients' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Settings', selected: true }).waitFor();
    await visit(placeNamed('resource-server-danger'));
    await page.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Delete');
  });

  it('have no motion, and change their colours at once, for users who prefer reduced motion', async () => {
    const { page } = visitor;
    await inColours('light');
    await visit(placeNamed('resource-servers'));
    const heading = 'getComputedStyle(document.querySelector("h1 bdi")).color';
    const before = await page.evaluate(heading);
    // Within one turn, before the browser draws.
    const [colour, moving] = await page.evaluate<[string, number]>(
      `document.documentElement.dataset.colorScheme = 'dark'; [${heading}, document.getAnimations().length]`,
    );
    await inColours('dark');
    assert.equal(moving, 0);
    assert.notEqual(colour, before);
    assert.equal(await page.evaluate(heading), colour);
  });

  it('has a search for all records of the server, which shows when it finds nothing', async () => {
    const { page } = visitor;
    await visit(placeNamed('tokens'));
    await page.getByRole('searchbox').fill('web-sh');
    await page.getByText(/^\d tokens?$/).waitFor();
    await page.getByRole('searchbox').fill('nobody');
    await page.getByText('No token fits').waitFor();
    await visit(placeNamed('clients'));
    await page.getByRole('searchbox').fill('BOOKS');
    await page.getByText('1 client', { exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor();
  });

  async function inColours(colorScheme: 'light' | 'dark'): Promise<void> {
    await visitor.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  }

  function placeNamed(name: string): Place {
    return places.find((place) => place.name === name) ?? assert.fail(name);
  }
});

async function fits(page: Page): Promise<boolean> {
  return (await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')) === true;
}
