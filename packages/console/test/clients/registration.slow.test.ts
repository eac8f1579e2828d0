import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type AdministrationServer,
  anApi,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from '../support/console-page.ts';

describe('the GUI of a server where a group registers', () => {
  let browser: TestBrowser;
  let server: AdministrationServer;
  let visitor: ConsolePage;
  let resourceServer: string;
  before(async () => {
    [browser, server] = await Promise.all([
      openBrowser(),
      startAdministration({ 'administration.registration': 'group:developers' }),
    ]);
    visitor = await consolePage(browser, server);
    const former = await server.person('emma', { groups: ['developers'] });
    const { id } = await former.create('/admin/resourceServer', anApi);
    resourceServer = `/resource-servers/${id}`;
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  const register = () => visitor.page.getByRole('main').getByRole('link', { name: /^Register/ });
  const why = () => visitor.page.getByRole('main').getByText('users of the group developers register');

  it('offers another user no place to register, and says who registers', async () => {
    const { page } = visitor;
    await visitor.signIn('emma', '/resource-servers', '{}');
    await page.getByRole('link', { name: anApi.name }).waitFor();
    assert.equal(await register().count(), 0);
    await why().waitFor();
    await visitor.look('console-may-not-register');
    await visitor.goTo(resourceServer);
    await page.getByText('No client yet').waitFor();
    await why().waitFor();
    assert.equal(await register().count(), 0);
    for (const route of ['/resource-servers/new', `${resourceServer}/clients/new`]) {
      await visitor.goTo(route);
      await page.getByRole('heading', { name: 'You cannot register this' }).waitFor();
      await why().waitFor();
      assert.equal(await page.getByRole('textbox').count(), 0);
    }
    await visitor.goTo('/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    assert.equal(await register().count(), 0);
    assert.deepEqual(visitor.errors(), []);
  });

  it('shows what a new client does not get until an administrator confirms it, and then no more', async () => {
    const { page } = visitor;
    await visitor.signIn('emma', '/resource-servers', JSON.stringify({ groups: ['developers'] }));
    await register().first().waitFor();
    assert.equal(await why().count(), 0);
    const { id } = await visitor.admin().clients.create(Number(resourceServer.split('/').at(-1)), {
      clientName: 'Portal',
      contactName: 'Ann',
      redirectUris: ['https://portal.example/cb'],
      openidScopes: ['profile', 'email', 'phone', 'groups'],
    });
    await visitor.goTo('/clients');
    await page.getByText('Not confirmed: does not get email, phone, groups').waitFor();
    await visitor.goTo(`${resourceServer}/clients/${id}`);
    await page.getByText('Until then it does not get email, phone, groups of users').waitFor();
    await page.getByText('Ask an administrator to confirm it.').waitFor();
    await visitor.look('console-client-unconfirmed');
    await visitor.goTo(`${resourceServer}/clients/${id}?tab=settings`);
    await page
      .getByText('It gets email, address, phone and groups once an administrator has confirmed it.')
      .waitFor();
    await visitor.signIn('root', `${resourceServer}/clients/${id}`, JSON.stringify({ adminPrincipal: true }));
    await page.getByText('Check its redirect URIs, and confirm it above.').waitFor();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Portal is trusted').waitFor();
    await page.getByText('Until then it does not get').waitFor({ state: 'detached' });
    assert.deepEqual(visitor.errors(), []);
  });

  it('offers an identifier of its own for a new record, and makes it from the name otherwise', async () => {
    const { page } = visitor;
    await visitor.signIn('emma', '/resource-servers/new', JSON.stringify({ groups: ['developers'] }));
    const save = () => page.getByRole('button', { name: 'Register', exact: true }).click();
    const key = page.getByRole('textbox', { name: 'Key', exact: true });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Заказы API');
    assert.equal(await key.getAttribute('placeholder'), 'api');
    await key.fill('-orders');
    await save();
    await page.getByText('Key must be 1 to 255 of a–z').waitFor();
    await key.fill('authorization-server-admin');
    await save();
    await page.getByText('Key is taken; choose another one').waitFor();
    const taken = await visitor.admin().resourceServers.create({ ...anApi, name: 'Taken' });
    await key.fill(taken.key);
    await save();
    await page.getByText('Key is taken; choose another one').waitFor();
    assert.equal(await key.getAttribute('aria-invalid'), 'true');
    assert.equal(await page.getByText("The server's log has the cause").count(), 0);
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Taken');
    await key.fill('orders');
    await save();
    await page.getByText('The owner has a resource server of this name already').waitFor();
    assert.equal(await name.getAttribute('aria-invalid'), 'true');
    await name.fill('Заказы API');
    await save();
    await page.getByRole('dialog').getByText('orders', { exact: true }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'I have stored it' }).click();
    const { items } = await visitor.admin().resourceServers.list({ q: 'Заказы' });
    const [made] = items;
    assert.equal(made?.key, 'orders');
    await visitor.goTo(`/resource-servers/${made?.id}/clients/new`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ночь');
    await page.getByText('More settings').click();
    const clientId = page.getByRole('textbox', { name: 'Client ID', exact: true });
    assert.equal(await clientId.getAttribute('placeholder'), 'client');
    await clientId.fill('night');
    await page.getByLabel('Redirect URIs', { exact: true }).fill('https://night.example/cb');
    await visitor.look('console-new-client');
    await save();
    await page.getByText('night', { exact: true }).first().waitFor();
    const clients = await visitor.admin().clients.list(made?.id ?? 0);
    assert.deepEqual(
      clients.items.map(({ clientId: id }) => id),
      ['night'],
    );
    const unexpected = visitor.errors().filter((error) => !/status of 4(?:00|09) /.test(error));
    assert.deepEqual(unexpected, []);
  });
});
