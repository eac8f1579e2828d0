import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { slowTest } from '@watchword/testkit';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import type { ConsolePage } from '../support/console-page.ts';
import { type HostileRecords, person, startHostileRecords } from '../support/hostile-records.ts';

const tags = ['script', 'iframe', 'valueOf', '__proto__'].map((tag) => `<${tag}>hacked=1</${tag}>`).join();
const operatorText = `${tags} {constructor} {__proto__} <strong>{person}</strong>`;

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let records: HostileRecords;
let visitor: ConsolePage;
before(async () => {
  directory = await temporaryDirectory();
  await mkdir(directory.file('console'));
  const texts = JSON.stringify({ 'endAccess.one.lead': operatorText, 'access.title': operatorText });
  await writeFile(directory.file('console/en.json'), texts);
  records = await startHostileRecords({ 'pages.locales': directory.file('.') });
  ({ visitor } = records);
});
after(async () => {
  await records[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

describe('records that another owner filled with markup and with names of members of every object', () => {
  it('are text on every page of the administration', async () => {
    const { page } = visitor;
    const client = `/resource-servers/${records.api.id}/clients/${records.app.id}`;
    for (const route of [
      '/',
      '/resource-servers',
      `/resource-servers/${records.api.id}`,
      '/clients',
      client,
      '/access',
      '/tokens',
      '/audit',
      '/identity-providers',
      `/people/any-person/${encodeURIComponent(person)}`,
    ]) {
      await visitor.goTo(route);
      await page.getByText('onerror').or(page.getByText('any-person')).first().waitFor({ state: 'attached' });
      const tabs = page.getByRole('tablist').first().getByRole('tab');
      for (const tab of await tabs.all()) await tab.click();
      await records.assertHarmless(route);
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), route);
    }
  });

  slowTest('are text in dialogs', async () => {
    const { page } = visitor;
    await visitor.goTo('/access');
    const menu = page.getByRole('button', { name: /^Actions/ }).first();
    await menu.click();
    const names = await page.getByRole('menuitem').allInnerTexts();
    await page.keyboard.press('Escape');
    assert.ok(names.length > 0);
    for (const name of names) {
      await menu.click();
      await page.getByRole('menuitem', { name, exact: true }).click();
      await page.getByRole('dialog').waitFor();
      await records.assertHarmless(name);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });
});

describe('a text of the operator with markup and with names of members of every object', () => {
  it('is shown as text', async () => {
    const url = `${records.server.baseUrl}/authorize?response_type=code&client_id=demo-app`;
    await followFlow(new UserAgent(), url, { username: 'emma', password: '{}' });
    const { page } = visitor;
    await visitor.goTo('/access?q=emma');
    await page.getByRole('heading', { name: '<script>hacked=1</script>', level: 1 }).waitFor();
    const row = page.getByRole('row', { name: 'emma' });
    await row.getByRole('button', { name: /^Actions/ }).click();
    await page.getByRole('menuitem').first().click();
    await page.getByRole('dialog').getByText('hacked=1,hacked=1').waitFor();
    assert.equal(await page.getByRole('dialog').locator('strong').innerText(), 'emma');
    assert.equal(await page.locator('iframe').count(), 0);
    await records.assertHarmless('texts of the operator');
  });
});
