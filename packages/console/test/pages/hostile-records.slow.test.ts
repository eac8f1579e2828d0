import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startHostileRecords } from '../support/hostile-records.ts';

describe('records with markup and with names of members of every object, in the forms of an administrator', () => {
  it('keep their names when another field is saved', async () => {
    await using records = await startHostileRecords();
    const { visitor } = records;
    const { page } = visitor;
    const before = (await visitor.admin().resourceServers.getDescribed(records.api.id)).record;
    await visitor.goTo(`/resource-servers/${records.api.id}?tab=settings`);
    await page.getByLabel('Contact e-mail').fill('ops@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.form-foot[data-dirty=false]').waitFor();
    const after = (await visitor.admin().resourceServers.getDescribed(records.api.id)).record;
    assert.deepEqual(after, { ...before, contactEmail: 'ops@example.com' });
    const address = { resourceServerId: records.api.id, id: records.app.id };
    const client = (await visitor.admin().clients.get(address)).record;
    await visitor.goTo(`/resource-servers/${records.api.id}/clients/${records.app.id}?tab=settings`);
    await page.getByLabel('Contact e-mail').fill('ops@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.form-foot[data-dirty=false]').waitFor();
    const changed = (await visitor.admin().clients.get(address)).record;
    assert.deepEqual(changed, { ...client, contactEmail: 'ops@example.com' });
    await records.assertHarmless('settings');
  });
});
