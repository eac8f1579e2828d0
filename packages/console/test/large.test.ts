import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AdminClient, createAdminClient, readAll } from '@watchword/admin-client';
import { launchBrowser } from '@watchword/testkit/browser';
import type { Browser } from 'playwright-core';
import { startServer, type TestServer } from '../../server/test/support/server.ts';
import { type ConsolePage, consolePage } from './support/console-page.ts';
import { addClients } from './support/many-records.ts';

describe('the administration GUI of a server with more clients than it reads', () => {
  let browser: Browser;
  let server: TestServer;
  let visitor: ConsolePage;
  let admin: AdminClient;
  let id: number;
  before(async () => {
    [browser, server] = await Promise.all([launchBrowser(), startServer({ authenticator: 'noop-admin' })]);
    visitor = await consolePage(browser, server);
    await visitor.signIn(undefined, '/nowhere');
    admin = createAdminClient({ baseUrl: server.service.baseUrl(), token: () => visitor.token() });
    const busy = { name: 'Busy API', contactName: 'Operations', scopes: ['read'] };
    ({ id } = await admin.resourceServers.create(busy));
    addClients(server.database, id, 2100);
    const quiet = await admin.resourceServers.create({ ...busy, name: 'Quiet API' });
    await admin.clients.create(quiet.id, { clientName: 'Quiet job', contactName: 'Operations' });
  });
  after(async () => {
    await Promise.all([browser, server].map((each) => each[Symbol.asyncDispose]()));
  });

  it('says of the overview that it counts the first of them', async () => {
    const { page } = visitor;
    await visitor.goTo('/');
    await page.getByRole('heading', { name: 'Live tokens per client, of the first 300 clients' }).waitFor();
    await page.getByRole('heading', { name: 'People per client, of the first 300 clients' }).waitFor();
    await page.locator('.figure-of').filter({ hasText: 'clients' }).getByText('300+').waitFor();
  });

  it('finds each of them among the clients of all resource servers, with its resource server', async () => {
    const { page } = visitor;
    await visitor.goTo('/clients');
    await page.getByText('Only the first 2000 are listed').waitFor();
    await page.getByRole('searchbox').fill('Client 2100');
    await page.getByText('1 client', { exact: true }).waitFor();
    await page.getByRole('row', { name: 'Client 2100' }).getByRole('link', { name: 'Busy API' }).waitFor();
    await page.getByRole('searchbox').fill('nobody');
    await page.getByText('No client fits').waitFor();
  });

  it('lists and searches those of one resource server', async () => {
    const { page } = visitor;
    await visitor.goTo('/clients');
    await page.getByLabel('Resource server').selectOption({ label: 'Quiet API' });
    await page.getByText('1 client', { exact: true }).waitFor();
    await page.getByRole('row', { name: 'Quiet job' }).waitFor();
    await page.getByRole('searchbox').fill('Client 2100');
    await page.getByText('No client fits').waitFor();
    await page.getByLabel('Resource server').selectOption({ label: 'Busy API' });
    await page.getByRole('link', { name: 'Client 2100' }).waitFor();
  });

  it('issues a token to the client that was asked for, also to one far behind', async () => {
    const { page } = visitor;
    const { items } = await readAll((query) => admin.clients.listAll({ ...query, q: 'client-2100' }));
    await visitor.goTo(`/resource-servers/${id}/clients/${items[0]?.id}?tab=tokens`);
    await page.getByRole('button', { name: 'Issue a token' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Issue' }).click();
    await page.getByRole('dialog').getByText('client-2100', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
  });

  it('finds each of them on the page of its resource server', async () => {
    const { page } = visitor;
    await visitor.goTo(`/resource-servers/${id}`);
    await page.getByText('Only the first 2000 are listed').waitFor();
    await page.getByRole('searchbox').fill('Client 2100');
    await page.getByText('1 client', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Client 2100' }).waitFor();
    await page.getByRole('searchbox').fill('nobody');
    await page.getByText('No client fits').waitFor();
  });

  it('says before a resource server is deleted that more die than it names', async () => {
    const { page } = visitor;
    await visitor.goTo(`/resource-servers/${id}?tab=danger`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('more than 2,000 clients: Client 1, Client 2').waitFor();
    assert.deepEqual(visitor.faults(), []);
  });
});
