import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/application';
import { startLogoutReceiver } from '@watchword/server-testkit/logout-receiver';
import { until } from '@watchword/server-testkit/process';
import { startServer } from '@watchword/server-testkit/server';
import { openBrowser } from '@watchword/testkit/browser';
import { UserAgent } from '@watchword/testkit/user-agent';
import { consolePage } from './support/console-page.ts';

describe('the page of a client that has rejected a logout token', () => {
  it('shows why, and has the token delivered again by a button', async () => {
    await using receiver = await startLogoutReceiver((response, count) => {
      response.statusCode = count === 1 ? 400 : 200;
      response.end();
    });
    await using browser = await openBrowser();
    await using server = await startServer({
      authenticator: 'noop-admin',
      'signing.algorithms': 'ES256',
      'outbound.privateHosts': receiver.host,
    });
    const app = await registerApplication(server, { skipConsent: true, backchannelLogoutUri: receiver.url });
    const agent = new UserAgent();
    const { parameters } = await app.authorize({ scope: 'openid', nonce: 'n' }, {}, agent);
    const { id_token } = (await app.redeem(parameters.get('code') ?? '')).json;
    await agent.get(`${server.baseUrl}/oauth2/logout?${new URLSearchParams({ id_token_hint: id_token })}`);
    await receiver.next();

    await using visitor = await consolePage(browser, server);
    await visitor.signIn(undefined, '/nowhere');
    await until(async () => (await visitor.admin().logoutDeliveries.list({ failed: true })).items.length > 0);
    const { page } = visitor;
    await visitor.goTo(`/clients/${app.client.clientId}`);
    await page.getByRole('tab', { name: 'Errors' }).click();
    const table = page.getByRole('table', { name: 'Logout tokens that it has not accepted' });
    await table.getByText('rejects the logout token').waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('console-client-logout-deliveries');
    await table.getByRole('button', { name: 'Deliver again' }).click();
    await receiver.next();
    await page.getByText('The server delivers the logout token again.').waitFor();
    await table.waitFor({ state: 'detached' });
    assert.deepEqual(visitor.errors(), []);
  });
});
