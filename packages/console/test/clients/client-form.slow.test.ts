import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type ClientForm, startClientForm } from '../support/client-form.ts';
import type { ConsolePage } from '../support/console-page.ts';

let form: ClientForm;
let visitor: ConsolePage;
before(async () => {
  form = await startClientForm();
  ({ visitor } = form);
});
after(() => form[Symbol.asyncDispose]());

describe('the attributes of a client in its form', () => {
  it('are rejected without a name, or with the same name twice, and are kept as typed', async () => {
    const { page } = visitor;
    await form.open();
    const add = page.getByRole('button', { name: 'Add an attribute' });
    const names = page.getByLabel('Name of the attribute');
    await add.click();
    await page.getByLabel('Value of the attribute').fill('nameless');
    await form.save();
    await page.getByText('Attributes have a value without a name: name it, or remove it.').waitFor();
    await names.nth(1).fill('team');
    await page.getByText('"team" is there more than once.').waitFor();
    await form.save();
    await visitor.assertAccessible();
    assert.deepEqual((await form.stored()).attributes, { team: 'finance' });
    assert.equal(await names.count(), 2);
    await names.nth(1).fill('region');
    await add.click();
    await form.save();
    await page.locator('.form-foot[data-dirty=false]').waitFor();
    assert.deepEqual((await form.stored()).attributes, { team: 'finance', region: 'nameless' });
    assert.equal(await names.count(), 2);
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
    await page.getByText('More settings').click();
    await page.locator('label').filter({ hasText: 'Implicit grant' }).click();
    await page.getByText('More settings').click();
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Confidential must be off with the implicit grant').waitFor();
    await page.getByRole('switch', { name: 'Confidential' }).press('Space');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('heading', { name: 'Contradiction', level: 1 }).waitFor();
  });

  it('is asked for name, kind, redirect URI and scopes, and the rest is folded', async () => {
    const { page, goTo } = visitor;
    await goTo(`/resource-servers/${resourceServerId}/clients/new`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
    assert.equal(await page.getByRole('textbox').count(), 2);
    assert.equal(await page.getByRole('switch').count(), 0);
    await page.getByText('More settings').click();
    await page.getByRole('switch', { name: 'Confidential' }).waitFor();
    await page.reload();
    await page.getByText('More settings').waitFor();
    assert.equal(await page.getByRole('switch').count(), 0, 'nothing differs from what is usual');
    await page.getByRole('radio', { name: 'A service that acts for itself' }).check();
    await page.reload();
    await page.getByText('What you had typed before is still here.').waitFor();
    assert.equal(await page.getByRole('switch').count(), 0, 'the kind has set it');
    await page.getByText('More settings').click();
    await page.getByLabel('Description').fill('Counts the stock');
    await page.reload();
    await page.getByRole('switch', { name: 'Confidential' }).waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
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

  it('gets the hybrid flow while it is confidential, and not at an address of this machine', async () => {
    const { page, goTo } = visitor;
    await goTo(`/resource-servers/${resourceServerId}/clients/new`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Old portal');
    await page.getByLabel('Redirect URIs', { exact: true }).fill('http://localhost:5000/signin-oidc');
    await page.getByText('More settings').click();
    const confidential = page.getByRole('switch', { name: 'Confidential' });
    await confidential.press('Space');
    await page.getByRole('switch', { name: 'Hybrid flow' }).waitFor({ state: 'detached' });
    await confidential.press('Space');
    await page.locator('label').filter({ hasText: 'Hybrid flow' }).click();
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('cannot be used with the hybrid flow').first().waitFor();
    await page.getByLabel('Redirect URIs', { exact: true }).fill('https://portal.example/signin-oidc');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Old portal is registered').waitFor();
    const client = await byName('Old portal');
    assert.deepEqual([client.confidential, client.allowedHybrid], [true, true]);
  });
});

describe('the form of a client', () => {
  beforeEach(() => form.open());

  it('keeps an emptied lifetime empty, and requires a number when it is saved', async () => {
    const { page } = visitor;
    const lifetime = page.getByLabel('Token lifetime in seconds');
    await lifetime.fill('');
    await page.reload();
    await page.getByText('What you had typed before is still here.').waitFor();
    assert.equal(await lifetime.inputValue(), '');
    await form.save();
    await page.getByText('Token lifetime is not a whole number of seconds').waitFor();
    assert.equal((await form.stored()).expireDuration, 60);
    await lifetime.fill('1h20');
    assert.equal(await lifetime.inputValue(), '120');
    await form.save();
    await page.locator('.form-foot[data-dirty=false]').waitFor();
    assert.equal((await form.stored()).expireDuration, 120);
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
