import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from '../support/console-page.ts';

let browser: TestBrowser;
let server: TestServer;
let visitor: ConsolePage;
let portal: number;
let orders: number;
let client: { readonly resourceServerId: number; readonly id: number };
before(async () => {
  [browser, server] = await Promise.all([openBrowser(), startServer({ authenticator: 'noop-admin' })]);
  visitor = await consolePage(browser, server, { viewport: { width: 1280, height: 2400 } });
  await visitor.signIn(undefined, '/nowhere');
  const { resourceServers, clients } = visitor.admin();
  const api = { contactName: 'Emma', scopes: ['read'] };
  portal = (await resourceServers.create({ ...api, name: 'Portal API' })).id;
  orders = (await resourceServers.create({ ...api, name: 'Orders API', scopes: ['list', 'pay'] })).id;
  const { id } = await clients.create(portal, { clientName: 'Shop', contactName: 'Emma' });
  client = { resourceServerId: portal, id };
});
after(async () => {
  await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
});

const save = async () => {
  await visitor.page.getByRole('button', { name: 'Save' }).click();
  await visitor.page.locator('.form-foot[data-dirty=false]').waitFor();
};

describe('the pages of several resource servers', () => {
  it('name a resource server by URIs, and open some of its scopes', async () => {
    const { page } = visitor;
    await visitor.goTo(`/resource-servers/${orders}?tab=settings`);
    await page.getByLabel('URIs', { exact: true }).fill('https://orders.example\n');
    await page.getByLabel('Open to clients').selectOption('everyone');
    await page.getByRole('group', { name: 'Open scopes' }).getByRole('checkbox', { name: 'list' }).check();
    await visitor.assertAccessible();
    await visitor.screenshot('console-open-resource-server');
    await save();
    const { record } = await visitor.admin().resourceServers.get(orders);
    assert.deepEqual(
      [record.resources, record.openToClients, record.openScopes],
      [['https://orders.example'], 'everyone', ['list']],
    );
  });

  it('let a client use another resource server, with scopes of that one', async () => {
    const { page } = visitor;
    await visitor.goTo(`/resource-servers/${portal}/clients/${client.id}?tab=settings`);
    await page.getByRole('combobox', { name: 'Add a resource server' }).click();
    await page.getByRole('option', { name: /Orders API/ }).click();
    await page.getByRole('checkbox', { name: 'pay' }).check();
    await visitor.assertAccessible();
    await visitor.screenshot('console-other-resource-servers');
    await save();
    const { record } = await visitor.admin().clients.get(client);
    assert.deepEqual(record.otherResourceServers, [{ resourceServerId: orders, scopes: ['pay'] }]);
  });

  it('show the owner of an API the clients of others, and take it away from one', async () => {
    const { page } = visitor;
    await visitor.goTo(`/resource-servers/${orders}`);
    await page.getByRole('heading', { name: 'Clients of other resource servers' }).waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('console-clients-of-others');
    const others = page.getByRole('region', { name: 'Clients of other resource servers' });
    await others.getByRole('link', { name: 'Tokens' }).click();
    await page.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor();
    assert.match(page.url(), /\/tokens\?client=shop$/);
    await page.goBack();
    await page.getByRole('button', { name: 'Take away from Shop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take away' }).click();
    await page.getByText('Shop can no longer use it.').waitFor();
    const { record } = await visitor.admin().clients.get(client);
    assert.deepEqual(record.otherResourceServers, []);
  });
});
