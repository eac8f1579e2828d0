import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { ClientAddress } from '@watchword/admin-client';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';

let browser: TestBrowser;
let server: TestServer;
let visitor: ConsolePage;
before(async () => {
  [browser, server] = await Promise.all([openBrowser(), startServer({ authenticator: 'noop-admin' })]);
  visitor = await consolePage(browser, server, { viewport: { width: 1280, height: 2600 } });
  await visitor.signIn(undefined, '/nowhere');
});
after(async () => {
  await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
});

describe('the form of a client', () => {
  let client: ClientAddress;
  before(async () => {
    const contact = { contactName: 'Emma' };
    const { id: resourceServerId } = await visitor
      .admin()
      .resourceServers.create({ ...contact, name: 'API' });
    const { id } = await visitor.admin().clients.create(resourceServerId, {
      ...contact,
      clientName: 'Job',
      expireDuration: 60,
      attributes: { team: 'finance' },
    });
    client = { resourceServerId, id };
  });
  beforeEach(async () => {
    await visitor.goTo('/nowhere');
    await visitor.page.getByText('There is no such page').waitFor();
    await visitor.goTo(`/resource-servers/${client.resourceServerId}/clients/${client.id}?tab=settings`);
  });

  const stored = async () => (await visitor.admin().clients.get(client)).record;
  const save = () => visitor.page.getByRole('button', { name: 'Save' }).click();

  it('keeps an emptied lifetime empty, and requires a number when it is saved', async () => {
    const { page } = visitor;
    const lifetime = page.getByLabel('Token lifetime in seconds');
    await lifetime.fill('');
    await page.reload();
    await page.getByText('What you had typed before is still here.').waitFor();
    assert.equal(await lifetime.inputValue(), '');
    await save();
    await page.getByText('Token lifetime is not a whole number of seconds').waitFor();
    assert.equal((await stored()).expireDuration, 60);
    await lifetime.fill('1h20');
    assert.equal(await lifetime.inputValue(), '120');
    await save();
    await page.locator('.form-foot[data-dirty=false]').waitFor();
    assert.equal((await stored()).expireDuration, 120);
  });

  it('rejects an attribute without a name, and two with the same name, and keeps both', async () => {
    const { page } = visitor;
    const add = page.getByRole('button', { name: 'Add an attribute' });
    const names = page.getByLabel('Name of the attribute');
    await add.click();
    await page.getByLabel('Value of the attribute').fill('nameless');
    await save();
    await page.getByText('Attributes have a value without a name: name it, or remove it.').waitFor();
    await names.nth(1).fill('team');
    await page.getByText('"team" is there more than once.').waitFor();
    await save();
    await visitor.assertAccessible();
    assert.deepEqual((await stored()).attributes, { team: 'finance' });
    assert.equal(await names.count(), 2);
    await names.nth(1).fill('region');
    await add.click();
    await save();
    await page.locator('.form-foot[data-dirty=false]').waitFor();
    assert.deepEqual((await stored()).attributes, { team: 'finance', region: 'nameless' });
    assert.equal(await names.count(), 2);
  });

  it('returns to the stored values when it is discarded', async () => {
    const { page } = visitor;
    await page.getByLabel('Redirect URIs', { exact: true }).fill('https://a.example/cb\n');
    await page.getByRole('button', { name: 'Remove team' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    assert.equal(await page.getByLabel('Redirect URIs', { exact: true }).inputValue(), '');
    assert.equal(await page.getByLabel('Value of team').inputValue(), 'finance');
    assert.deepEqual(visitor.errors(), []);
  });
});

describe('a public client on the administration pages', () => {
  let resourceServerId: number;
  before(async () => {
    const api = { name: 'Shop API', contactName: 'Emma', scopes: ['read', 'write'] };
    resourceServerId = (await visitor.admin().resourceServers.create(api)).id;
  });

  it('that becomes confidential is shown to have no secret, until a rotation gives it one', async () => {
    const { page, goTo } = visitor;
    const { id } = await visitor.admin().clients.create(resourceServerId, {
      ...{ clientName: 'Turning', contactName: 'Emma', redirectUris: ['https://shop.example/callback'] },
      confidential: false,
    });
    await goTo(`/resource-servers/${resourceServerId}/clients/${id}?tab=settings`);
    await page.getByRole('switch', { name: 'Confidential' }).press('Space');
    await page.getByText('After saving it has no secret yet').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This client is confidential and has no secret').waitFor();
    await page.getByRole('link', { name: 'Rotate its secret' }).click();
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Make a new secret' }).click();
    await dialog.getByTestId('secret').waitFor();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('This client is confidential and has no secret').waitFor({ state: 'detached' });
  });
});
