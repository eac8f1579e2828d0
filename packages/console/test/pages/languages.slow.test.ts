import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { createAdminClient } from '@watchword/admin-client';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/servers/account-server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import type { Page } from 'playwright-core';
import { type ConsolePage, consolePage } from '../support/console-page.ts';
import { addIdentityProvider, furnish } from '../support/furnish.ts';
import { pseudoTable, textsInEnglish } from '../support/pseudo-language.ts';
import { sentencesInEnglish, tableOf } from '../support/tables.ts';

const phone = { width: 390, height: 844 };

const attributesOfSaml = ['uid', 'displayName', 'mail', 'isMemberOf'].map(
  (name) => `urn:mace:dir:attribute-def:${name}`,
);

describe('the GUI in each language, on every page', () => {
  let browser: TestBrowser;
  let server: AccountServer;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let places: readonly string[];
  /** Strings of records and of the server. */
  let data: string[];
  /** In the language that an operator has added. */
  let added: ConsolePage;
  before(async () => {
    directory = await temporaryDirectory();
    await mkdir(directory.file('console'));
    await writeFile(directory.file('console/qaa.json'), JSON.stringify(pseudoTable(tableOf('en'))));
    [browser, server] = await Promise.all([
      openBrowser(),
      startAccountServer({ 'pages.locales': directory.path }),
    ]);
    await server.addAccount('emma');
    await server.grantTo('emma');
    const { token } = await server.logIn('root');
    const { orders, job } = await furnish(server, token);
    await addIdentityProvider(server, token);
    const resourceServer = `/resource-servers/${orders.id}`;
    const client = `${resourceServer}/clients/${job.id}`;
    places = [
      '/',
      '/resource-servers',
      '/resource-servers/new',
      ...['', '?tab=settings', '?tab=use', '?tab=danger'].map((tab) => resourceServer + tab),
      `${resourceServer}/clients/new`,
      ...['', '?tab=settings', '?tab=access', '?tab=tokens', '?tab=secrets', '?tab=danger'].map(
        (tab) => client + tab,
      ),
      ...[
        '/clients',
        '/described-clients',
        '/access',
        '/tokens',
        '/accounts',
        '/identity-providers',
        '/people/password/emma',
      ],
      ...['/identity-providers/new', '/identity-providers/of/university'],
      ...['/signing-keys', '/branding', '/settings'],
      ...['/audit', '/audit?type=everything', '/clients?q=nowhere', '/nowhere', '/resource-servers/999999'],
    ];
    // Makes the first key.
    await server.get('/oauth2/jwks');
    const admin = createAdminClient({ baseUrl: server.service.baseUrl, token: () => token });
    const records = await Promise.all([
      admin.resourceServers.list(),
      admin.resourceServers.getDescribed(orders.id),
      admin.clients.listAll(),
      admin.accounts.list(),
      admin.principal(),
      admin.signingKeys.list(),
      admin.authenticators.list(),
    ]);
    const ofServer = [
      'Watchword',
      'password',
      'unsupported_grant_type',
      'invalid_client',
      'not_found',
      // Of a busy machine.
      ...['request_timeout', 'request timeout'],
      'phr',
      'team',
      'nl',
      'de',
    ];
    const ofSaml = ['ACS', 'EntityDescriptor', 'NameID', 'SHA-256', ...attributesOfSaml];
    data = [
      ...new Set([
        ...stringsIn(records),
        ...ofServer,
        ...ofSaml,
        'openid-client',
        'client_secret_basic',
        'client_secret_post',
        'curl',
        '@watchword/resource-server',
        ...namesOfDays(),
      ]),
    ]
      .filter((text) => text.length > 1)
      .sort((a, b) => b.length - a.length);
    added = await open('qaa');
  });
  after(async () => {
    await Promise.all([browser, server, directory].map((each) => each[Symbol.asyncDispose]()));
  });

  const open = async (language: string, route = '/'): Promise<ConsolePage> => {
    const visitor = await consolePage(browser, server, {
      extraHTTPHeaders: { 'accept-language': language },
    });
    await visitor.signIn('root', route, 'correct horse battery');
    return visitor;
  };
  const visit = async (visitor: ConsolePage, route: string) => {
    await visitor.goTo(route);
    await visitor.page.locator('main :is(h1, .problem)').first().waitFor();
    await visitor.page.locator('main:not(:has(.loading))').waitFor();
  };

  for (const language of ['nl', 'de'] as const) {
    it(`shows every page in ${language}, accessible and without an English sentence, also on a phone`, async () => {
      const table = tableOf(language);
      await using visitor = await open(language);
      const { page } = visitor;
      await page.setViewportSize(phone);
      assert.equal(await page.locator('html').getAttribute('lang'), language);
      await page
        .getByRole('heading', { level: 1, name: table['navigation.overview'] ?? assert.fail() })
        .waitFor();
      for (const [index, route] of places.entries()) {
        await visit(visitor, route);
        assert.deepEqual(await sentencesInEnglish(page, language), [], route);
        assert.equal(await fits(page), true, route);
        if (index % 5 === 0) await visitor.assertAccessible();
        await visitor.screenshot(`console-${language}-${index}`);
      }
      assert.deepEqual(withoutMissing(visitor), []);
    });
  }

  it('takes every text of every page from the table, in a language that an operator has added', async () => {
    const found: string[] = [];
    for (const route of places) {
      await visit(added, route);
      found.push(...(await textsInEnglish(added.page, data)).map((text) => `${route} ${text}`));
    }
    assert.deepEqual(found, []);
    assert.deepEqual(withoutMissing(added), []);
  });

  it('takes every text of menus, dialogs and errors from the table', async () => {
    const { page } = added;
    const look = async (what: string) => assert.deepEqual(await textsInEnglish(page, data), [], what);
    const dialog = page.getByRole('dialog');
    const cancel = () => page.keyboard.press('Escape');
    // Nothing of what another test has read.
    await added.signIn('root', '/resource-servers/new', 'correct horse battery');
    await page.locator('main [type="submit"]').click();
    await page.locator('.field-error').first().waitFor();
    await look('errors of a form');
    for (const route of places.filter((place) => place.endsWith('tab=danger'))) {
      await visit(added, route);
      const actions = page.locator('.danger-zone button:enabled');
      for (let index = 0; index < (await actions.count()); index += 1) {
        await actions.nth(index).click();
        await dialog.waitFor();
        await look(`${route} ${index}`);
        await cancel();
        await dialog.waitFor({ state: 'detached' });
      }
    }
    for (const route of ['/tokens', '/access', '/accounts']) {
      await visit(added, route);
      const menu = page.locator('[aria-haspopup="menu"]').first();
      await menu.click();
      const items = page.getByRole('menuitem');
      const count = await items.count();
      await look(`${route} menu`);
      await cancel();
      for (let index = 0; index < count; index += 1) {
        await menu.click();
        await items.nth(index).click();
        await dialog.locator('form, .dialog-actions').first().waitFor();
        await look(`${route} ${index}`);
        await cancel();
        await dialog.waitFor({ state: 'detached' });
      }
    }
    await page.route('**/admin/**', (request) =>
      request.fulfill({ status: 500, json: { error: 'server_error' } }),
    );
    await visit(added, '/identity-providers');
    // One for each list.
    for (const list of [0, 1]) await page.locator('.problem').nth(list).waitFor();
    await look('an error of the server');
    await page.unroute('**/admin/**');
  });
});

/** A record that does not exist is an error on the console of the browser. */
/** Some of the addresses have no record, and a preview of pages is left while it loads. */
function withoutMissing(visitor: ConsolePage): readonly string[] {
  return visitor.errors().filter((error) => !/404|(?:\/preview|\?draft=)\S+ net::ERR_ABORTED/.test(error));
}

async function fits(page: Page): Promise<boolean> {
  return (await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')) === true;
}

/** Short names of months and weekdays, which charts show. */
function namesOfDays(): string[] {
  const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2030, month));
  const days = Array.from({ length: 7 }, (_, day) => Date.UTC(2030, 0, day + 1));
  const named = (times: readonly number[], part: Intl.DateTimeFormatOptions) =>
    times.map((time) => new Intl.DateTimeFormat('en', { ...part, timeZone: 'UTC' }).format(time));
  return [...named(months, { month: 'short' }), ...named(days, { weekday: 'short' })];
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
