import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AdminClient, createAdminClient } from '@watchword/admin-client';
import { launchBrowser } from '@watchword/testkit/browser';
import type { Browser } from 'playwright-core';
import { startServer, type TestServer } from '../../server/test/support/server.ts';
import { type ConsolePage, consolePage } from './support/console-page.ts';

const contactName = 'Operations';

describe('the administration GUI of a server with many clients', () => {
  let browser: Browser;
  let server: TestServer;
  let visitor: ConsolePage;
  before(async () => {
    [browser, server] = await Promise.all([launchBrowser(), startServer({ authenticator: 'noop-admin' })]);
    visitor = await consolePage(browser, server);
    await visitor.signIn(undefined, '/nowhere');
    const admin = createAdminClient({ baseUrl: server.service.baseUrl(), token: () => visitor.token() });
    await registerClients(admin, 310);
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

  it('lists all of them, by pages', async () => {
    const { page } = visitor;
    await visitor.goTo('/clients');
    await page.getByText(/of 313 clients/).waitFor();
    await page.getByRole('searchbox').fill('Client 310');
    await page.getByText('1 client', { exact: true }).waitFor();
    assert.deepEqual(visitor.faults(), []);
  });
});

async function registerClients(admin: AdminClient, count: number): Promise<void> {
  const { id } = await admin.resourceServers.create({ name: 'Busy API', contactName, scopes: ['read'] });
  for (let start = 1; start <= count; start += 10) {
    await Promise.all(
      Array.from({ length: Math.min(10, count - start + 1) }, (_, index) =>
        admin.clients.create(id, { clientName: `Client ${start + index}`, contactName }),
      ),
    );
  }
}
