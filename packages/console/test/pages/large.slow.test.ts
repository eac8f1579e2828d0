import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AdminClient, createAdminClient, readAll } from '@watchword/admin-client';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { type ConsolePage, type OpenConsole, openConsole } from '../support/console-page.ts';
import { addClients, addGrants } from '../support/many-records.ts';

describe('the administration GUI of a server with more clients than one page', () => {
  let gui: OpenConsole<TestServer>;
  let server: TestServer;
  let visitor: ConsolePage;
  let admin: AdminClient;
  let id: number;
  before(async () => {
    gui = await openConsole(startServer({ authenticator: 'noop-admin' }));
    ({ server, visitor } = gui);
    await visitor.signIn(undefined, '/nowhere');
    admin = createAdminClient({ baseUrl: server.service.baseUrl, token: () => visitor.token() });
    const busy = { name: 'Busy API', contactName: 'Operations', scopes: ['read'] };
    ({ id } = await admin.resourceServers.create(busy));
    await addClients(server.database, id, 2100);
    const quiet = await admin.resourceServers.create({ ...busy, name: 'Quiet API' });
    await admin.clients.create(quiet.id, { clientName: 'Quiet job', contactName: 'Operations' });
  });
  after(() => gui[Symbol.asyncDispose]());

  it('counts all clients in the overview, and names those whose tokens are counted', async () => {
    const { page } = visitor;
    await visitor.goTo('/');
    const figure = (label: string) => page.locator('.facts > div').filter({ hasText: label }).locator('dd');
    await page.getByText('counted for the first 300 of 2,105 clients').waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('console-overview-large');
    assert.equal(await figure('Resource servers').innerText(), '4');
    assert.equal(await figure('Clients').innerText(), '2,105');
    assert.equal(await figure('Valid tokens').count(), 0);
    assert.match(await figure('Issued in 24 hours').innerText(), /^[\d,]+$/);
    await page.getByRole('button', { name: 'Count all' }).click();
    await page.getByText('counted for the first').waitFor({ state: 'detached' });
    assert.match(await figure('Valid tokens').innerText(), /^\d+$/);
  });

  it('finds each client among those of all resource servers, with its resource server', async () => {
    const { page } = visitor;
    await visitor.goTo('/clients');
    await page.getByText('Only the first 2,000 of 2,105 are listed').waitFor();
    await page.getByText('1–25 of 2,105 clients', { exact: true }).waitFor();
    await page.getByRole('searchbox').fill('Client 2100');
    await page.getByText('1 client', { exact: true }).waitFor();
    await page.getByRole('row', { name: 'Client 2100' }).getByRole('link', { name: 'Busy API' }).waitFor();
    await page.getByRole('searchbox').fill('nobody');
    await page.getByText('No client fits').waitFor();
  });

  it('shows the newest access first, reads more on request, and finds a person among all by a part of the name', async () => {
    const { page } = visitor;
    const { items } = await readAll((query) => admin.clients.listAll({ ...query, q: 'client-2100' }));
    await addGrants(server, items[0]?.id ?? assert.fail(), 2300);
    await visitor.goTo('/access');
    await page.getByRole('row', { name: 'person 2300' }).waitFor();
    await page.getByText('100 grants so far').waitFor();
    await page.getByRole('button', { name: 'Read more' }).click();
    await page.getByText('200 grants so far').waitFor();
    await page.getByRole('searchbox').fill('SON 1A');
    await page.getByRole('row', { name: 'person 1a' }).waitFor();
    await page.getByText('1 grant', { exact: true }).waitFor();
    await page.getByRole('searchbox').fill('nobody');
    await page.getByRole('row', { name: 'person' }).first().waitFor({ state: 'detached' });
    await visitor.assertAccessible();
  });

  it('lists and searches those of one resource server', async () => {
    const { page } = visitor;
    await visitor.goTo('/clients');
    await chooseServer('Quiet');
    await page.getByText('1 client', { exact: true }).waitFor();
    await page.getByRole('row', { name: 'Quiet job' }).waitFor();
    await page.getByRole('searchbox').fill('Client 2100');
    await page.getByText('No client fits').waitFor();
    await chooseServer('Busy');
    await page.getByRole('link', { name: 'Client 2100' }).waitFor();
  });

  it('issues a token to the requested client, also to one on a late page', async () => {
    const { page } = visitor;
    const { items } = await readAll((query) => admin.clients.listAll({ ...query, q: 'client-2100' }));
    await visitor.goTo(`/resource-servers/${id}/clients/${items[0]?.id}?tab=tokens`);
    await page.getByRole('button', { name: 'Issue a token' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Issue', exact: true }).click();
    await page.getByRole('dialog').getByText('client-2100', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
  });

  it('finds each client on the page of its resource server', async () => {
    const { page } = visitor;
    await visitor.goTo(`/resource-servers/${id}`);
    await page.getByText('Only the first 2,000 of 2,100 are listed').waitFor();
    await page.getByRole('searchbox').fill('Client 2100');
    await page.getByText('1 client', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Client 2100' }).waitFor();
    await page.getByRole('searchbox').fill('nobody');
    await page.getByText('No client fits').waitFor();
  });

  it('shows before the deletion of a resource server how many clients are deleted with it', async () => {
    const { page } = visitor;
    await visitor.goTo(`/resource-servers/${id}?tab=danger`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('2,100 clients: Client 1, Client 2').waitFor();
    await page.getByRole('dialog').getByText('and 2,092 more').waitFor();
    assert.deepEqual(visitor.errors(), []);
  });

  async function chooseServer(name: string): Promise<void> {
    const { page } = visitor;
    await page.getByRole('combobox', { name: 'Resource server' }).fill(name);
    await page.getByRole('option', { name: `${name} API` }).click();
  }
});
