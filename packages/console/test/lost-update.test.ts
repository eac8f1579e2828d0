import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { ClientAddress } from '@watchword/admin-client';
import { type ContestedForm, startContestedForm } from './support/contested-form.ts';

describe('a form for a record that another user changes meanwhile', () => {
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
});
