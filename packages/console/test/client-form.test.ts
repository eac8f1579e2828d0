import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type ClientForm, startClientForm } from './support/client-form.ts';
import type { ConsolePage } from './support/console-page.ts';

let form: ClientForm;
let visitor: ConsolePage;
before(async () => {
  form = await startClientForm();
  ({ visitor } = form);
});
after(() => form[Symbol.asyncDispose]());

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
