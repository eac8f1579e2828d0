import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAdminClient } from '@watchword/admin-client';
import { startServer } from '@watchword/server-testkit/server';
import { openBrowser } from '@watchword/testkit/browser';
import { consolePage } from './support/console-page.ts';

describe('the lifetime of a client without expiry', () => {
  it('is shown with that of its implicit tokens, as the server is configured', async () => {
    await using server = await startServer({ authenticator: 'noop-admin', 'implicit.lifetime': '5400' });
    await using browser = await openBrowser();
    await using visitor = await consolePage(browser, server);
    await visitor.signIn();
    const { page, goTo, token } = visitor;
    const admin = createAdminClient({ baseUrl: server.service.baseUrl, token });
    const { id } = await admin.resourceServers.create({ name: 'Maps', contactName: 'Emma' });
    const redirectUris = ['https://map.example/callback'];
    const implicit = { allowedImplicitGrant: true, redirectUris, expireDuration: 0 };
    const client = await admin.clients.create(id, { ...implicit, clientName: 'Map', contactName: 'Emma' });

    await goTo(`/resource-servers/${id}/clients/${client.id}?tab=settings`);
    await page.getByText('Implicit tokens expire after 1 hour 30 minutes.').waitFor();
    await page.getByRole('button', { name: '15 min' }).click();
    assert.equal(await page.getByText('Implicit tokens expire').count(), 0);
    await page.getByRole('button', { name: 'no expiry' }).click();
    await page.locator('label').filter({ hasText: 'Implicit grant' }).click();
    assert.equal(await page.getByText('Implicit tokens expire').count(), 0);

    await goTo('/clients');
    await page.getByText('no expiry; implicit tokens: 1 hour 30 minutes').waitFor();
  });
});
