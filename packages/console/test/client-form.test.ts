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
  visitor = await consolePage(browser, server);
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
  const discard = () => visitor.page.getByRole('button', { name: 'Discard' }).click();

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
    await discard();
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

  const byName = async (name: string) =>
    (await visitor.admin().clients.list(resourceServerId)).items.find(
      ({ clientName }) => clientName === name,
    ) ?? assert.fail(name);

  it('is registered as an application in the browser or on a device, without a secret', async () => {
    const { page, goTo } = visitor;
    for (const [kind, useRefreshTokens] of [
      ['An application in the browser', false],
      ['A native or mobile application', true],
    ] as const) {
      await goTo(`/resource-servers/${resourceServerId}/clients/new`);
      assert.ok(await page.getByRole('radio', { name: 'A web application with a server' }).isChecked());
      assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 0, 'no scope is ticked');
      await page.getByRole('radio', { name: kind }).check();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(kind);
      await page.getByLabel('Redirect URIs', { exact: true }).fill('https://shop.example/callback');
      await page.getByRole('button', { name: 'Register' }).click();
      await page.getByRole('heading', { name: kind, level: 1 }).waitFor();
      const client = await byName(kind);
      assert.deepEqual(
        [client.confidential, client.allowedImplicitGrant, client.useRefreshTokens, client.expireDuration],
        [false, false, useRefreshTokens, 3600],
      );
    }
  });

  it('cannot be confidential beside the implicit grant, and the form explains it', async () => {
    const { page, goTo } = visitor;
    await goTo(`/resource-servers/${resourceServerId}/clients/new`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Contradiction');
    await page.getByLabel('Redirect URIs', { exact: true }).fill('https://shop.example/callback');
    await page.locator('label').filter({ hasText: 'Implicit grant' }).click();
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Confidential must be off with the implicit grant').waitFor();
    await page.getByRole('switch', { name: 'Confidential' }).press('Space');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('heading', { name: 'Contradiction', level: 1 }).waitFor();
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

describe('descriptions of scopes on the administration pages', () => {
  it('are written for a new API, changed later, and shown beside the boxes of a client', async () => {
    const { page, goTo } = visitor;
    await goTo('/resource-servers/new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Notes API');
    const scopes = page.getByLabel('Scopes', { exact: true });
    await scopes.fill('read');
    await scopes.press('Enter');
    await scopes.fill('write');
    await scopes.press('Enter');
    await page.getByLabel('read', { exact: true }).fill('Read your notes');
    await page.getByRole('button', { name: 'Add a language for read' }).click();
    await page.getByLabel('Text for read in this language', { exact: true }).fill('Notities lezen');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('have a text for read without a language').waitFor();
    await page.getByLabel('Language of a text for read').fill('nl');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('heading', { name: 'Notes API', level: 1 }).waitFor();

    const [api] = (await visitor.admin().resourceServers.list({ q: 'Notes API' })).items;
    const stored = async () =>
      (await visitor.admin().resourceServers.getDescribed(api?.id ?? 0)).record.scopes;
    const read = { name: 'read', description: 'Read your notes', descriptions: { nl: 'Notities lezen' } };
    assert.deepEqual(await stored(), [read, { name: 'write' }]);

    await goTo(`/resource-servers/${api?.id}?tab=settings`);
    assert.equal(
      await page.getByLabel('Text for read in nl', { exact: true }).inputValue(),
      'Notities lezen',
    );
    await page.getByRole('button', { name: 'Remove the text for read in nl' }).click();
    await page.getByLabel('write', { exact: true }).fill('Write notes');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.form-foot[data-dirty=false]').waitFor();
    assert.deepEqual(await stored(), [
      { name: 'read', description: 'Read your notes' },
      { name: 'write', description: 'Write notes' },
    ]);

    await goTo(`/resource-servers/${api?.id}/clients/new`);
    await page.getByText('Write notes').waitFor();
  });
});
