import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { AdminClient, ClientAddress } from '@watchword/admin-client';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { type ConsolePage, consolePage } from './support/console-page.ts';

const contact = { contactName: 'Emma', contactEmail: 'emma@example.com' };

describe('a form for a record that another user changes meanwhile', () => {
  let browser: TestBrowser;
  let server: TestServer;
  let visitor: ConsolePage;
  let colleague: AdminClient;
  let client: ClientAddress;
  let count = 0;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer({ authenticator: 'noop-admin' })]);
    visitor = await consolePage(browser, server);
    await visitor.page.clock.install();
    await visitor.signIn(undefined, '/nowhere');
    colleague = visitor.admin();
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });
  beforeEach(async () => {
    count += 1;
    const { id: resourceServerId } = await colleague.resourceServers.create({
      ...contact,
      name: `API ${count}`,
      scopes: ['read', 'write'],
    });
    const fields = { ...contact, clientName: `Job ${count}`, scopes: ['read'], expireDuration: 60 };
    const { id } = await colleague.clients.create(resourceServerId, fields);
    client = { resourceServerId, id };
    await visitor.goTo(`/resource-servers/${resourceServerId}/clients/${id}?tab=settings`);
    await description().fill('Mine.');
  });

  const description = () => visitor.page.getByLabel('Description');
  const save = () => visitor.page.getByRole('button', { name: 'Save' }).click();
  const dialog = () => visitor.page.getByRole('dialog', { name: 'Another user has changed it' });
  const compared = async (field: string) => {
    const row = dialog().getByRole('row', { name: field });
    await row.waitFor();
    return row.getByRole('cell').allInnerTexts();
  };
  const stored = async () => (await colleague.clients.get(client)).record;
  const shownAsSaved = () => visitor.page.locator('.form-foot[data-dirty=false]').waitFor();
  /** The user returns to the window: the page reads its records again. */
  const comeBack = async () => {
    const { page } = visitor;
    const read = page.waitForResponse((response) => response.url().endsWith(`/client/${client.id}`));
    await page.clock.fastForward(11_000);
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await read;
  };

  it('is not saved over a change that was read while the user typed', async () => {
    await colleague.clients.update(client, { contactName: 'Finn', expireDuration: 3600 });
    await comeBack();
    await visitor.page.getByText('Another user has changed this since you began.').waitFor();
    assert.equal(await description().inputValue(), 'Mine.');
    await save();
    await dialog().getByText('noop saved this').waitFor();
    assert.deepEqual(await compared('Contact name'), ['Emma', 'Finn', 'not changed']);
    await visitor.assertAccessible();
    await visitor.screenshot('console-dialog-compare');
    await visitor.page.setViewportSize({ width: 360, height: 740 });
    await visitor.assertAccessible();
    await visitor.screenshot('console-dialog-compare-phone');
    await visitor.page.setViewportSize({ width: 1280, height: 720 });
    assert.equal((await stored()).description, '');
    await dialog().getByRole('button', { name: 'Continue with both' }).click();
    await save();
    await shownAsSaved();
    const { description: text, contactName, expireDuration } = await stored();
    assert.deepEqual([text, contactName, expireDuration], ['Mine.', 'Finn', 3600]);
  });

  it('shows the changes of the other user at the save, and accepts them on request', async () => {
    await visitor.page.getByLabel('Contact name').fill('Me');
    await colleague.clients.update(client, { description: 'Theirs.', attributes: { team: 'x' } });
    await save();
    assert.deepEqual(await compared('Description'), ['—', 'Theirs.', 'Mine.']);
    await visitor.page.emulateMedia({ colorScheme: 'dark' });
    await visitor.assertAccessible();
    await visitor.screenshot('console-dialog-contested-dark');
    await visitor.page.emulateMedia({ colorScheme: 'light' });
    await dialog().getByRole('button', { name: 'Take theirs' }).click();
    assert.equal(await description().inputValue(), 'Theirs.');
    assert.equal(await visitor.page.getByLabel('Contact name').inputValue(), 'Me');
    assert.equal(await visitor.page.getByLabel('Value of team').inputValue(), 'x');
    await save();
    await shownAsSaved();
    const { description: text, contactName, attributes } = await stored();
    assert.deepEqual([text, contactName, attributes], ['Theirs.', 'Me', { team: 'x' }]);
  });

  it('keeps the changes of this user on request, and those that only the other user made', async () => {
    await colleague.clients.update(client, { description: 'Theirs.', scopes: ['read', 'write'] });
    await save();
    await dialog().getByRole('button', { name: 'Keep mine' }).click();
    assert.equal(await description().inputValue(), 'Mine.');
    assert.ok(await visitor.page.getByRole('checkbox', { name: 'write' }).isChecked());
    await save();
    await shownAsSaved();
    const { description: text, scopes } = await stored();
    assert.deepEqual([text, scopes], ['Mine.', ['read', 'write']]);
  });

  it('can be decided later, and asks again before the save', async () => {
    await colleague.clients.update(client, { description: 'Theirs.' });
    await save();
    await dialog().getByRole('button', { name: 'Decide later' }).click();
    await save();
    await dialog().getByRole('button', { name: 'Decide later' }).click();
    assert.equal((await stored()).description, 'Theirs.');
    await visitor.page.getByRole('button', { name: 'Discard' }).click();
    assert.equal(await description().inputValue(), 'Theirs.');
  });

  it('remembers over a reload which version of the record it began with', async () => {
    await visitor.page.reload();
    await visitor.page.getByText('What you had typed before is still here.').waitFor();
    await colleague.clients.update(client, { contactName: 'Finn' });
    await visitor.page.reload();
    await visitor.page.getByText('Another user has changed this since you began.').waitFor();
    await save();
    await dialog().getByRole('button', { name: 'Continue with both' }).click();
    await save();
    await shownAsSaved();
    assert.equal((await stored()).contactName, 'Finn');
  });

  it('remembers it over a login in another window, and is not saved with the later version', async () => {
    await colleague.clients.update(client, { contactName: 'Finn' });
    await server.post('/oauth2/revoke', {
      token: visitor.token(),
      client_id: 'authorization-server-admin-js-client',
    });
    await save();
    await visitor.page.getByRole('button', { name: 'Sign in again' }).click();
    assert.deepEqual(await compared('Contact name'), ['Emma', 'Finn', 'not changed']);
    assert.equal((await stored()).description, '');
    await dialog().getByRole('button', { name: 'Continue with both' }).click();
    await save();
    await shownAsSaved();
    const { description: text, contactName } = await stored();
    assert.deepEqual([text, contactName], ['Mine.', 'Finn']);
  });

  it('is saved without a question when the change is in no field of the form', async () => {
    await colleague.clients.rotateSecret(client);
    await save();
    await shownAsSaved();
    assert.equal((await stored()).description, 'Mine.');
  });

  it('compares resource servers too', async () => {
    const { page } = visitor;
    await visitor.goTo(`/resource-servers/${client.resourceServerId}?tab=settings`);
    await page.getByText('Shown to users who are asked for consent.').waitFor();
    await description().fill('Mine.');
    await colleague.resourceServers.update(client.resourceServerId, { scopes: ['read', 'write', 'admin'] });
    await save();
    assert.deepEqual(await compared('Scopes'), ['read write', 'read write admin', 'not changed']);
    await dialog().getByRole('button', { name: 'Continue with both' }).click();
    await save();
    await shownAsSaved();
    const { record } = await colleague.resourceServers.get(client.resourceServerId);
    assert.deepEqual([record.description, record.scopes], ['Mine.', ['read', 'write', 'admin']]);
  });
});
