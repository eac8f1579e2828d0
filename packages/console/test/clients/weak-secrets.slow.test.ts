import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from '../support/console-page.ts';
import { furnish } from '../support/furnish.ts';

describe('a record whose imported secret can be guessed', () => {
  let browser: TestBrowser;
  let server: AdministrationServer;
  let emma: ConsolePage;
  let apiRoute: string;
  let client: string;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startAdministration()]);
    emma = await consolePage(browser, server);
    await emma.signIn('emma', '/nowhere', '{}');
    const { orders, shop } = await furnish(server, emma.token());
    const { clients, resourceServers, ...store } = server.service.store;
    const weak = { hash: Buffer.from('$argon2id$'), previousHash: undefined, previousValidUntil: 0 };
    await clients.replaceSecret(shop.id, weak);
    await resourceServers.replaceSecret(orders.id, weak);
    await store.refreshRegistry();
    apiRoute = `/resource-servers/${orders.id}`;
    client = `${apiRoute}/clients/${shop.id}`;
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  it('is marked in both lists', async () => {
    for (const list of ['/clients', '/resource-servers']) {
      await emma.goTo(list);
      await emma.page.getByText('secret can be guessed', { exact: true }).waitFor();
      await emma.assertAccessible();
    }
  });

  it('has a warning that leads to the rotation, which ends it', async () => {
    const { page } = emma;
    for (const route of [apiRoute, client]) {
      await emma.goTo(route);
      await page.getByText('fewer than 16 characters, so it can be guessed.').waitFor();
      await page.getByRole('link', { name: 'Rotate its secret' }).click();
      await page.getByRole('button', { name: 'Rotate the secret' }).waitFor();
      await emma.assertAccessible();
    }
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make a new secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('fewer than 16 characters').waitFor({ state: 'detached' });
    assert.deepEqual(emma.errors(), []);
  });
});
