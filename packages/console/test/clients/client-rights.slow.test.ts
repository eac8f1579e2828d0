import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type AdministrationServer,
  startAdministration,
  systemResourceServerId,
} from '@watchword/server-testkit/servers/administration';
import { type OpenConsole, openConsole } from '../support/console-page.ts';

const administrator = JSON.stringify({ adminPrincipal: true });

describe('the rights on the page of a client', () => {
  let gui: OpenConsole<AdministrationServer>;
  before(async () => {
    gui = await openConsole(startAdministration());
  });
  after(() => gui[Symbol.asyncDispose]());

  it('are given in a dialog, shown with their giver, and ended in the menu of a row or all at once', async () => {
    const { server, visitor } = gui;
    const { page } = visitor;
    const root = await server.administrator();
    const robot = await server.actingClient('Robot');
    const home = await systemResourceServerId(root);
    const { json } = await root.get(`/admin/resourceServer/${home}/client?q=Robot`);
    assert.equal((await robot.get('/admin/auditEvent')).json.length, 0);
    await visitor.signIn('root', `/resource-servers/${home}/clients/${json[0].id}?tab=rights`, administrator);
    await page.getByText('No right yet').waitFor();
    await page.getByRole('button', { name: 'Give rights' }).click();
    const dialog = page.getByRole('dialog');
    for (const name of ['audit:read', 'records:all:write']) await dialog.getByLabel(name).check();
    await visitor.look('console-dialog-rights');
    await dialog.getByRole('button', { name: 'Give rights' }).click();
    const row = (name: string) => page.getByRole('row', { name });
    await row('audit:read').waitFor();
    assert.match(
      await row('records:all:write').innerText(),
      /See and change the APIs and clients of everyone/,
    );
    await visitor.look('console-client-rights');
    assert.ok((await robot.get('/admin/auditEvent')).json.length > 0);
    await row('audit:read').getByRole('button', { name: 'Actions for' }).click();
    await page.getByRole('menuitem', { name: 'End it' }).click();
    await row('audit:read').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'End all' }).click();
    await page.getByText('No right yet').waitFor();
    assert.deepEqual((await root.get('/admin/right')).json, []);
    assert.equal((await robot.get('/admin/auditEvent')).json.length, 0);
    assert.deepEqual(visitor.errors(), []);
  });
});
