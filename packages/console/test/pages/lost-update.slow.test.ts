import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { ClientAddress } from '@watchword/admin-client';
import { type ContestedForm, startContestedForm } from '../support/contested-form.ts';

describe('each form for a record that another user changes meanwhile', () => {
  let form: ContestedForm;
  let client: ClientAddress;
  before(async () => {
    form = await startContestedForm();
  });
  after(() => form[Symbol.asyncDispose]());
  beforeEach(async () => {
    client = await form.begin();
  });

  const stored = async () => (await form.colleague.clients.get(client)).record;

  it('is compared in a dialog that is accessible on a phone and in the dark', async () => {
    await form.colleague.clients.update(client, { description: 'Theirs.', contactName: 'Finn' });
    await form.save();
    await form.compared('Description');
    await form.visitor.screenshot('console-dialog-compare');
    await form.visitor.page.setViewportSize({ width: 360, height: 740 });
    await form.visitor.assertAccessible();
    await form.visitor.screenshot('console-dialog-compare-phone');
    await form.visitor.page.setViewportSize({ width: 1280, height: 720 });
    await form.visitor.page.emulateMedia({ colorScheme: 'dark' });
    await form.visitor.assertAccessible();
    await form.visitor.screenshot('console-dialog-contested-dark');
    await form.visitor.page.emulateMedia({ colorScheme: 'light' });
    await form.dialog().getByRole('button', { name: 'Take theirs' }).click();
  });

  it('is not saved over a change that was read while the user typed', async () => {
    await form.colleague.clients.update(client, { contactName: 'Finn', expireDuration: 3600 });
    await form.comeBack();
    await form.visitor.page.getByText('Another user has changed this since you began.').waitFor();
    assert.equal(await form.description().inputValue(), 'Mine.');
    await form.save();
    await form.dialog().getByText('noop saved this').waitFor();
    assert.deepEqual(await form.compared('Contact name'), ['Emma', 'Finn', 'not changed']);
    assert.equal((await stored()).description, '');
    await form.dialog().getByRole('button', { name: 'Continue with both' }).click();
    await form.save();
    await form.shownAsSaved();
    const { description: text, contactName, expireDuration } = await stored();
    assert.deepEqual([text, contactName, expireDuration], ['Mine.', 'Finn', 3600]);
  });

  it('shows the changes of the other user at the save, and accepts them on request', async () => {
    await form.visitor.page.getByLabel('Contact name').fill('Me');
    await form.colleague.clients.update(client, { description: 'Theirs.', attributes: { team: 'x' } });
    await form.save();
    assert.deepEqual(await form.compared('Description'), ['—', 'Theirs.', 'Mine.']);
    await form.dialog().getByRole('button', { name: 'Take theirs' }).click();
    assert.equal(await form.description().inputValue(), 'Theirs.');
    assert.equal(await form.visitor.page.getByLabel('Contact name').inputValue(), 'Me');
    assert.equal(await form.visitor.page.getByLabel('Value of team').inputValue(), 'x');
    await form.save();
    await form.shownAsSaved();
    const { description: text, contactName, attributes } = await stored();
    assert.deepEqual([text, contactName, attributes], ['Theirs.', 'Me', { team: 'x' }]);
  });

  it('keeps the changes of this user on request, and those that only the other user made', async () => {
    await form.colleague.clients.update(client, { description: 'Theirs.', scopes: ['read', 'write'] });
    await form.save();
    await form.dialog().getByRole('button', { name: 'Keep mine' }).click();
    assert.equal(await form.description().inputValue(), 'Mine.');
    assert.ok(await form.visitor.page.getByRole('checkbox', { name: 'write' }).isChecked());
    await form.save();
    await form.shownAsSaved();
    const { description: text, scopes } = await stored();
    assert.deepEqual([text, scopes], ['Mine.', ['read', 'write']]);
  });

  it('can be decided later, and asks again before the save', async () => {
    await form.colleague.clients.update(client, { description: 'Theirs.' });
    await form.save();
    await form.dialog().getByRole('button', { name: 'Decide later' }).click();
    await form.save();
    await form.dialog().getByRole('button', { name: 'Decide later' }).click();
    assert.equal((await stored()).description, 'Theirs.');
    await form.visitor.page.getByRole('button', { name: 'Discard' }).click();
    assert.equal(await form.description().inputValue(), 'Theirs.');
  });

  it('remembers over a reload which version of the record it began with', async () => {
    await form.visitor.page.reload();
    await form.visitor.page.getByText('What you had typed before is still here.').waitFor();
    await form.colleague.clients.update(client, { contactName: 'Finn' });
    await form.visitor.page.reload();
    await form.visitor.page.getByText('Another user has changed this since you began.').waitFor();
    await form.save();
    await form.dialog().getByRole('button', { name: 'Continue with both' }).click();
    await form.save();
    await form.shownAsSaved();
    assert.equal((await stored()).contactName, 'Finn');
  });

  it('is saved without a question when the change is in no field of the form', async () => {
    await form.colleague.clients.rotateSecret(client);
    await form.save();
    await form.shownAsSaved();
    assert.equal((await stored()).description, 'Mine.');
  });

  it('compares resource servers too', async () => {
    const { page } = form.visitor;
    await form.visitor.goTo(`/resource-servers/${client.resourceServerId}?tab=settings`);
    await page.getByText('Shown to users who are asked for consent.').waitFor();
    await form.description().fill('Mine.');
    await form.colleague.resourceServers.update(client.resourceServerId, {
      scopes: ['read', 'write', 'admin'],
    });
    await form.save();
    assert.deepEqual(await form.compared('Scopes'), ['read write', 'read write admin', 'not changed']);
    await form.dialog().getByRole('button', { name: 'Continue with both' }).click();
    await form.save();
    await form.shownAsSaved();
    const { record } = await form.colleague.resourceServers.get(client.resourceServerId);
    assert.deepEqual([record.description, record.scopes], ['Mine.', ['read', 'write', 'admin']]);
  });

  it('remembers it over a login in another window, and is not saved with the later version', async () => {
    await form.colleague.clients.update(client, { contactName: 'Finn' });
    await form.endToken();
    await form.save();
    await form.visitor.page.getByRole('button', { name: 'Sign in again' }).click();
    assert.deepEqual(await form.compared('Contact name'), ['Emma', 'Finn', 'not changed']);
    assert.equal((await stored()).description, '');
    await form.dialog().getByRole('button', { name: 'Continue with both' }).click();
    await form.save();
    await form.shownAsSaved();
    const { description: text, contactName } = await stored();
    assert.deepEqual([text, contactName], ['Mine.', 'Finn']);
  });
});
